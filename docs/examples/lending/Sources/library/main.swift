import DaybookTool
import Lending

ReplayTool.main([Lending.self])
