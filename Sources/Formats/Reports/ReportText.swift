public import CivilTime
public import Domain
import EventSourcing
public struct ReportPicture { public init(_ r: BabyCare.Reporter, days: [CivilDate]) {} }
public enum ReportText { public static func day(_ r: BabyCare.DayReport, _ p: ReportPicture) -> String {JSONWriter.text(r)}
 public static func period(_ r: BabyCare.PeriodReport, _ p: ReportPicture) -> String {JSONWriter.text(r)} }
public enum ReportSVG { public static func day(_ r: BabyCare.DayReport, _ p: ReportPicture) -> String {JSONWriter.text(r)}
 public static func period(_ r: BabyCare.PeriodReport, _ p: ReportPicture) -> String {JSONWriter.text(r)} }
public enum ReportCSV { public static func days(_ r: [BabyCare.DayReport]) -> String {""}
 public static func period(_ r: BabyCare.PeriodReport) -> String {JSONWriter.text(r)} }
