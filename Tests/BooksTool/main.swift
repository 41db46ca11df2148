import DaybookTool

ReplayTool.main([Books.self, Loans.self])
