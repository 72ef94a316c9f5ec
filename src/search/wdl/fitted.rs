use super::WinModel;

pub(super) const MODEL: WinModel = WinModel { half: [100.0, 0.0, 0.0], spread: [100.0, 0.0, 0.0] };
