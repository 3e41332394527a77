//! Dates as PGN has them, and times as logs have them.

use std::time::{SystemTime, UNIX_EPOCH};

/// `2026.01.31`, in universal time.
pub fn of(time: SystemTime) -> String {
    let (year, month, day) = civil(seconds(time) / 86_400);
    format!("{year:04}.{month:02}.{day:02}")
}

/// `2026-01-31T23:59:59Z`, in universal time (RFC 3339).
pub fn timestamp(time: SystemTime) -> String {
    let seconds = seconds(time);
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// Year, month and day of a day since 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years that begin in March put the leap day last, so that months have fixed offsets
    // (Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates() {
        let at = |days: u64| of(UNIX_EPOCH + Duration::from_secs(days * 86_400));
        assert_eq!(at(0), "1970.01.01");
        assert_eq!(at(11_016), "2000.02.29");
        assert_eq!(at(20_484), "2026.01.31");
    }

    #[test]
    fn timestamps() {
        let at = UNIX_EPOCH + Duration::from_secs(20_484 * 86_400 + 86_399);
        assert_eq!(timestamp(at), "2026-01-31T23:59:59Z");
        assert_eq!(timestamp(UNIX_EPOCH), "1970-01-01T00:00:00Z");
    }
}
