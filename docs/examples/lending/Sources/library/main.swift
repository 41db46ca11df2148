import Lending
import ReplayCommands

ReplayTool.main([Lending.self])
