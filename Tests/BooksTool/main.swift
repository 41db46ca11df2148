import ReplayCommands

ReplayTool.main([Books.self])
