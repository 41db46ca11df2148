import ReplayCommands

ReplayTool.main([Books.self, Loans.self])
