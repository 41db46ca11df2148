// Written by tools/view-page from the files in Page; edit those.

extension PageSource {
    /// Part 1 of the style `view.css`.
    static let style1 = #"""
        /* The look of the page: one accent colour, a grid of 8 pixels, light and dark. */
        :root {
            color-scheme: light dark; --background: light-dark(#ffffff, #15181d);
            --panel: light-dark(#f7f8fa, #1b1f26); --raised: light-dark(#ffffff, #20252d);
            --line: light-dark(#e3e6eb, #2d333d); --edge: light-dark(#8b93a1, #798394);
            --text: light-dark(#1a1d23, #e6e9ee); --muted: light-dark(#5a6270, #a3abb8);
            --accent: light-dark(#2457c5, #8cb0ff); --accent-soft: light-dark(#e8eefb, #24324d);
            --changed: light-dark(#fff4d6, #3a3218); --bad: light-dark(#b3261e, #ff9d92);
            --bad-soft: light-dark(#fce8e6, #46231f); --warn: light-dark(#8a5300, #f0b866);
            --warn-soft: light-dark(#fdefd8, #402f17);
            --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace;
        }
        :root[data-theme='light'] { color-scheme: light; }
        :root[data-theme='dark'] { color-scheme: dark; }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; margin: 0; }
        body {
            background: var(--background); color: var(--text); accent-color: var(--accent);
            font: 13px/20px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif;
        }
        h1, h2, h3, p, dl, dd, ol, ul, pre { margin: 0; padding: 0; }
        h1, h2, h3 { font-size: 13px; font-weight: 600; }
        ol, ul { list-style: none; }
        .muted, .facts dt, summary { color: var(--muted); font-weight: 400; }
        .aside {
            position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
            white-space: nowrap;
        }

        /* What does not fit is cut or wrapped, never pushed out. */
        .clip, button.link, button.tag, .command code, .top h1, .top p, .lane-label, .lane-label span,
        .tip *, .kind-choice span, .events td, .facts dt {
            overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
        }
        .facts dd, .value, .value-button, .fields th, .fields td, .card-head h2, .card-head h3, .output,
        .event-title span, table.steps td { min-width: 0; overflow-wrap: anywhere; }
        .events, .facts dd, .event-title .position, .bar .moment, button.link {
            font-variant-numeric: tabular-nums;
        }
        .top, .bar, .options, .choice, .command, .card-head, .event-title, .write-head, .plain li, .row,
        .bottom, .note { display: flex; align-items: center; gap: 8px; min-width: 0; }
        .options, .bottom, .write-head, .row, .legend, .facts-line { flex-wrap: wrap; }

        /* Controls */
        button, input, select { font: inherit; color: inherit; }
        button, select, input[type='search'], input[type='text'] {
            min-height: 24px; padding: 1px 8px; border: 1px solid var(--line); border-radius: 4px;
            background: var(--raised);
        }
        button { cursor: pointer; }
        button:hover { border-color: var(--edge); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        .surface, .table, .panel, .legend, .lane-label, .tabs button { outline-offset: -2px; }
        button.quiet, button.link, button.value-button, .kind-choice {
            border-color: transparent; background: none;
        }
        button.quiet { flex: none; padding: 1px 6px; color: var(--muted); font-weight: 400; }
        button.quiet:hover { border-color: var(--line); color: var(--text); }
        button.link, button.tag { max-width: 100%; padding: 0 2px; }
        button.link { color: var(--accent); }
        button.link:hover { border-color: transparent; text-decoration: underline; }
        button.tag { margin: 0 4px 2px 0; padding: 0 6px; }
        .badge, .count {
            padding: 0 6px; border-radius: 4px; background: var(--accent-soft); color: var(--text);
            font-size: 11px; line-height: 16px; font-weight: 400; white-space: nowrap;
        }
        .badge.bad { background: var(--bad-soft); color: var(--bad); font-weight: 600; }
        .badge.warn { background: var(--warn-soft); color: var(--warn); }
        .kind-choice .count, .lane-label .count {
            flex: none; padding: 0; background: none; color: var(--muted); line-height: inherit;
        }
        .command { gap: 4px; }
        .command code { flex: 0 1 auto; min-width: 0; color: var(--muted); font: 12px/20px var(--mono); }
        .command code::before { content: '$ '; }
        .command button { font-size: 12px; }
        .mono { font: 12px/20px var(--mono); }
        .choice { gap: 6px; color: var(--muted); }
        .choice select { max-width: 160px; padding: 1px 4px; color: var(--text); }
        .choice input { width: 16px; height: 16px; margin: 0; }
        .row { gap: 4px 8px; }
        .row input { flex: 1 1 64px; min-width: 64px; }
        .row select { max-width: 144px; }

        /* Frame */
        #page { display: grid; grid-template-rows: auto auto minmax(0, 1fr) auto; height: 100%; }
        .top { padding: 8px 16px; }
        .top .title { flex: 1 1 auto; min-width: 0; }
        .top h1 { font-size: 16px; line-height: 20px; }
        .top p { font-size: 12px; line-height: 16px; }
        .top input { width: 224px; min-width: 80px; }
        .note { color: var(--warn); }
        .bar { padding: 4px 16px 8px; border-bottom: 1px solid var(--line); }
        .bar button { min-width: 32px; font-size: 16px; line-height: 20px; }
        .bar input { flex: 1 1 auto; min-width: 80px; height: 24px; margin: 0; }
        .bar .moment { flex: none; min-width: 272px; text-align: right; white-space: nowrap; }
        main {
            grid-row: 3; display: grid; grid-template-columns: minmax(0, 1fr) 464px; min-height: 0;
            border-top: 1px solid var(--line); margin-top: -1px;
        }
        .left, .right { display: grid; min-width: 0; min-height: 0; }
        .left { grid-template-rows: auto minmax(176px, 1fr) auto minmax(120px, 1fr); }
        .right {
            grid-template-rows: minmax(0, auto) auto minmax(0, 1fr); border-left: 1px solid var(--line);
            background: var(--panel);
        }
        .options { gap: 4px 12px; padding: 6px 16px; }
        .options .spring { flex: 1; margin-right: -12px; }
        .options > button { min-width: 28px; margin-left: -8px; }
        .bottom { gap: 0 24px; padding: 4px 16px; border-top: 1px solid var(--line); font-size: 12px; }
        main ~ .bottom { grid-row: 4; }
        .facts-line { display: flex; gap: 0 16px; margin-left: auto; }

        .timeline, .table, .event, .panel { contain: content; }

        /* Timeline */
        .timeline {
            display: grid; grid-template-columns: 176px minmax(0, 1fr); min-height: 0; overflow: hidden;
            border-block: 1px solid var(--line);
        }
        .overview .timeline { grid-template-columns: 256px minmax(0, 1fr); }
        .lane-labels { overflow: hidden; padding-top: 40px; border-right: 1px solid var(--line); }
        .lane-label {
            display: block; width: 100%; height: var(--lane); min-height: 0; padding: 0 8px 0 16px;
            border: 0; border-radius: 0; background: none; color: var(--muted); text-align: left;
            font-size: 12px; line-height: var(--lane);
        }
        .overview .lane-label { display: flex; justify-content: space-between; color: var(--text); }
        button.lane-label { color: var(--text); }
        button.lane-label:hover { background: var(--panel); }
        button.lane-label.others { color: var(--accent); }
        .lane-label.chosen { background: var(--accent-soft); font-weight: 600; }
        .surface { position: relative; overflow: hidden; touch-action: pan-y; user-select: none; }
        .layer { position: absolute; width: 100%; height: 100%; pointer-events: none; }
        .tip {
            position: absolute; z-index: 1; display: grid; width: 296px; padding: 6px 8px;
            border: 1px solid var(--edge); border-radius: 4px; background: var(--raised);
            font-size: 12px; line-height: 16px; pointer-events: none;
        }
        .mark { flex: none; width: 12px; height: 12px; fill: currentColor; }
        .legend { display: flex; gap: 4px; max-height: 96px; padding: 8px 16px; overflow-y: auto; }
        .kind-choice {
            display: inline-flex; align-items: center; gap: 4px; max-width: 288px; padding: 0 6px;
            font-size: 12px;
        }
        .kind-choice[aria-pressed='false'] { color: var(--muted); text-decoration: line-through; }

        /* The table of events */
        .table { overflow: auto; min-height: 0; border-top: 1px solid var(--line); }
        .events { width: 100%; border-collapse: collapse; table-layout: fixed; }
        .events th {
            position: sticky; top: 0; z-index: 1; height: 28px; padding: 0 8px; color: var(--muted);
            background: var(--background); box-shadow: inset 0 -1px var(--line); font-size: 12px;
            font-weight: 400; text-align: left;
        }
        .events th:nth-child(1) { width: 88px; padding-left: 16px; }
        .events th:nth-child(2) { width: 224px; }
        .events th:nth-child(3) { width: 22%; }
        .events th:nth-child(5) { width: 16%; }
        .events td { height: 28px; padding: 0 8px; }
        .events .gap td { height: auto; padding: 0; }
        .events td:first-child { padding-left: 14px; }
        .events td.late { color: var(--warn); }
        .events td.who, .events tr.pale td, table.steps .pale td { color: var(--muted); }
        .events tr:not(.gap) { cursor: pointer; }
        .events tbody tr:not(.gap):hover { background: var(--panel); }
        .events tr.match td:first-child { box-shadow: inset 3px 0 var(--accent); }
        .events tr.here td, .list > li.here, .palette li[aria-selected='true'] {
            background: var(--accent-soft);
        }
        .mark-place { display: inline-block; width: 18px; vertical-align: -2px; line-height: 12px; }
        .events.parts { table-layout: auto; }
        .events.parts :last-child { width: 100%; }

        /* The event of the moment */
        .event { max-height: 48vh; padding: 12px 16px; overflow: auto; }
        .event-title { margin-bottom: 4px; font-size: 14px; }
        .event-title .position { flex: none; margin-left: auto; color: var(--muted); font-weight: 400; }
        .facts { display: grid; grid-template-columns: 88px minmax(0, 1fr); gap: 0 8px; }
        .facts dd .badge { margin-left: 8px; }
        details { margin: 4px 0; }
        summary { width: max-content; cursor: pointer; }
        .payload .facts { grid-template-columns: 136px minmax(0, 1fr); padding-left: 12px; }
        .what-if .row, .what-if ul { margin: 4px 0 0 12px; }

        /* Panels */
        .tabs { display: flex; padding: 0 10px; overflow-x: auto; border-block: 1px solid var(--line); }
        .tabs button {
            flex: none; padding: 6px 6px 4px; border: 0; border-bottom: 2px solid transparent;
            border-radius: 0; background: none; color: var(--muted);
        }
        .tabs button[aria-selected='true'] {
            border-color: var(--accent); color: var(--text); font-weight: 600;
        }
        .tabs .count { margin-left: 4px; }
        .panel { display: grid; align-content: start; gap: 8px; padding: 12px 16px; overflow: auto; }
        .panel > * { min-width: 0; }
        .card {
            padding: 8px 12px; border: 1px solid var(--line); border-radius: 6px;
            background: var(--background);
        }
        .card.pinned { border-color: var(--edge); }
        .card.blame { border-color: var(--accent); }
        .card-head { min-height: 24px; margin-bottom: 4px; }
        .card-head h2, .card-head h3 { flex: 1 1 auto; }
        .card-head .badge, .card-head > .muted { flex: none; }
        .card .command { margin-top: 4px; }
        .fields { width: calc(100% + 8px); margin: 0 -4px; border-collapse: collapse; table-layout: fixed; }
        .fields th, .fields td { padding: 1px 4px; vertical-align: top; text-align: left; }
        .fields th {
            width: 34%; padding: 3px 8px 1px 4px; color: var(--muted); font: 12px/20px var(--mono);
        }
        .fields thead th { font-family: inherit; }
        .fields .changed { background: var(--changed); }
        .fields .changed th { color: var(--text); }
        .fields .chosen th { color: var(--accent); font-weight: 700; }
        .versus .other { background: var(--accent-soft); padding-top: 3px; }
        .value-button { width: 100%; padding: 1px 4px; text-align: left; }
        .value-button:hover { background: var(--accent-soft); }
        .value { font: 12px/20px var(--mono); white-space: pre-wrap; }
        .value.word, .change .before .value, .change .arrow, .change .note { color: var(--muted); }
        .value.number { white-space: nowrap; }
        .versus .value.number { white-space: normal; }
        .change .before .value { text-decoration: line-through; }
        .change .arrow { margin: 0 6px; }
        .change .note { margin-left: 8px; font-size: 12px; }
        .writes { border-left: 1px solid var(--line); }
        .writes li { position: relative; padding: 2px 0 2px 12px; }
        .writes .link { margin-left: -3px; }
        .writes li::before {
            content: ''; position: absolute; top: 11px; left: -4px; width: 7px; height: 7px;
            border-radius: 4px; background: var(--edge);
        }
        .writes li.writer::before { background: var(--accent); outline: 3px solid var(--accent-soft); }
        .writes li.later .change { opacity: 0.75; }
        .write-head { gap: 0 8px; }
        .report-picture { display: block; width: 100%; padding: 8px; background: #ffffff; }
        .report-picture img { display: block; max-width: 100%; margin: 0 auto; }
        .list > li { padding: 8px; border-bottom: 1px solid var(--line); }
        .list.dense > li { padding: 2px 8px; }
        .ask { display: grid; gap: 8px; min-width: 0; }
        .output {
            max-height: 64vh; padding: 8px; overflow: auto; border: 1px solid var(--line);
            background: var(--background); font: 12px/18px var(--mono); white-space: pre-wrap;
        }

        /* Life cycles */
        .cycle { display: block; width: 100%; max-width: 400px; margin: 0 auto; font-size: 12px; }
        .cycle rect { fill: var(--background); stroke: var(--edge); }
        .cycle text { fill: var(--text); }
        .cycle .present rect { fill: var(--accent); stroke: var(--accent); }
        .cycle .present text { fill: var(--background); font-weight: 600; }
        .cycle .step { color: var(--edge); }
        .cycle .step.taken { color: var(--text); }
        .cycle .step.stray { color: var(--bad); }
        .cycle .step.last, .cycle .last text { color: var(--accent); fill: currentColor; }
        .cycle .step path { fill: none; stroke: currentColor; }
        .cycle .step .head { fill: currentColor; stroke: none; }
        .cycle .untaken path { stroke-dasharray: 2 3; opacity: 0.7; }
        .cycle .last path { stroke-width: 2.5; }
        .cycle .count rect { stroke: none; }
        table.steps { width: 100%; border-collapse: collapse; }
        table.steps th, table.steps td { padding: 2px 8px 2px 0; vertical-align: top; text-align: left; }
        table.steps th { color: var(--muted); font-weight: 400; }
        table.steps .number { text-align: right; }

        /* Dialogs */
        dialog {
            width: min(880px, calc(100vw - 32px)); max-height: 80vh; padding: 16px; color: inherit;
            border: 1px solid var(--edge); border-radius: 8px; background: var(--background);
        }
        dialog::backdrop { background: rgb(0 0 0 / 40%); }
        dialog h2 { font-size: 16px; }
        .help dl { columns: 2; column-gap: 32px; }
        .help dl div { display: grid; grid-template-columns: 112px minmax(0, 1fr); margin-bottom: 4px; }
        kbd {
            display: inline-block; min-width: 20px; padding: 0 5px; border: 1px solid var(--line);
            border-radius: 4px; background: var(--panel); font: 12px/18px var(--mono); text-align: center;
        }
        kbd + kbd { margin-left: 4px; }
        dialog.large { width: fit-content; max-width: calc(100vw - 32px); max-height: 92vh; }
        dialog.large img { display: block; width: min(960px, 80vw); padding: 8px; background: #ffffff; }
        .palette { width: min(560px, calc(100vw - 32px)); margin-top: 12vh; padding: 8px; }
        .palette input { width: 100%; min-height: 32px; }
        .palette ul { max-height: 50vh; margin-top: 8px; overflow: auto; }
        .palette li {
            display: grid; grid-template-columns: 64px minmax(0, 1fr) auto; gap: 8px; padding: 4px 8px;
            border-radius: 4px; cursor: pointer;
        }
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
            #page, main, .right { display: block; height: auto; }
            .top, .bar { flex-wrap: wrap; }
            .top .title { flex-basis: 100%; }
            .top input { flex: 1 1 96px; }
            .bar { position: sticky; top: 0; z-index: 2; background: var(--background); }
            .bar .moment { flex-basis: 100%; order: -1; text-align: left; }
            .left { grid-template-rows: auto 264px auto 248px; }
            .right { border-top: 1px solid var(--line); border-left: 0; }
            .event, .legend { max-height: none; }
            .timeline, .overview .timeline { grid-template-columns: 104px minmax(0, 1fr); }
            .lane-label { padding-left: 8px; }
            .events:not(.parts) { min-width: 760px; }
            .facts-line { margin-left: 0; }
        }

        @media print {
            #page, main, .left, .right { display: block; height: auto; background: none; }
            .options, .tabs, .bar input, .bar button, .top button, .top input, .command button, .what-if,
            .card-head button, .panel > button, .note { display: none; }
            .timeline { height: 300px; }
            .table, .panel, .event, .output { max-height: none; overflow: visible; }
            .events .gap { display: none; }
            .right { border: 0; margin-top: 16px; }
            .command code { white-space: normal; }
            .card, .list > li { break-inside: avoid; }
        }

        """#
}
