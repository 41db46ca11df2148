// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// Part 2 of the style `view.css`.
    static let style2 = #"""
        table.steps td, table.steps th {
            padding: 2px 8px 2px 0; vertical-align: top; overflow-wrap: anywhere;
        }

        table.steps .number { text-align: right; }
        table.steps .pale td { color: var(--muted); }

        /* Dialogs */

        dialog {
            width: min(720px, calc(100vw - 32px)); max-height: 80vh; padding: 16px;
            border: 1px solid var(--edge); border-radius: 8px; background: var(--background);
            color: var(--text);
        }

        dialog::backdrop { background: rgb(0 0 0 / 40%); }
        dialog h2 { font-size: 16px; }

        .help { width: min(1040px, calc(100vw - 32px)); }
        .help-groups {
            display: grid; grid-template-columns: repeat(auto-fit, minmax(288px, 1fr)); gap: 16px 32px;
        }

        .help h3 { margin-bottom: 8px; }
        .help dl { display: grid; grid-template-columns: 112px minmax(0, 1fr); gap: 4px 8px; }
        .help dt { white-space: nowrap; }

        kbd {
            display: inline-block; min-width: 20px; padding: 0 5px; border: 1px solid var(--line);
            border-radius: 4px; background: var(--panel); font: 12px/18px var(--mono);
            text-align: center;
        }

        kbd + kbd { margin-left: 4px; }
        .palette { width: min(560px, calc(100vw - 32px)); margin-top: 12vh; padding: 8px; }
        .palette input { width: 100%; min-height: 32px; }
        .palette ul { max-height: 50vh; margin-top: 8px; overflow: auto; list-style: none; }

        .palette li {
            display: grid; grid-template-columns: 64px minmax(0, 1fr) auto; gap: 8px; padding: 4px 8px;
            border-radius: 4px; cursor: pointer;
        }

        .palette li[aria-selected='true'] { background: var(--accent-soft); }
        .failed { display: block; padding: 32px; }

        /* Colours of kinds, for people who see fewer colours too; the shape changes after eight. */

        .color-0 { color: light-dark(#3567b0, #7aa7ea); }
        .color-1 { color: light-dark(#b8570a, #ee9a52); }
        .color-2 { color: light-dark(#1c7a5a, #57c29a); }
        .color-3 { color: light-dark(#8d4a9e, #c593d6); }
        .color-4 { color: light-dark(#8a6d00, #d3b53a); }
        .color-5 { color: light-dark(#1b7f9e, #5fc0de); }
        .color-6 { color: light-dark(#b8325f, #ef7fa4); }
        .color-7 { color: light-dark(#5b6470, #a3acb8); }

        /* Narrow windows scroll as one column. */

        @media (max-width: 900px) {
            #page { display: block; height: auto; }
            .top, .bar { flex-wrap: wrap; }
            .top .title { flex-basis: 100%; }
            .top input { flex: 1 1 96px; }
            .bar { position: sticky; top: 0; z-index: 2; background: var(--background); }
            .bar .moment { flex-basis: 100%; order: -1; text-align: left; }
            main { display: block; }
            .left { grid-template-rows: auto 264px auto 248px; }
            .right { display: block; border-top: 1px solid var(--line); border-left: 0; }
            .event { max-height: none; }
            .timeline { grid-template-columns: 104px minmax(0, 1fr); }
            .lane-label { padding-left: 8px; }
            .events { min-width: 760px; }
            .legend { max-height: none; }
            .facts-line { margin-left: 0; }
        }

        @media print {
            @page { margin: 12mm; }
            #page, main, .left, .right { display: block; height: auto; background: none; }

            .options, .tabs, .bar input, .bar button, .top button, .top input, .command button,
            .card-head button, .panel > button { display: none; }
            .timeline { height: 300px; }
            .table, .panel, .event { max-height: none; overflow: visible; }
            .events .gap { display: none; }
            .right { border: 0; margin-top: 16px; }
            .command code { white-space: normal; }
            .card, .list > li { break-inside: avoid; }
        }

        """#
}
