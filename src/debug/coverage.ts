import type { CellCoverage, CodeListing } from '../chain/recording.ts'
import { fromBase64 } from '../primitives/base64.ts'
import { toHex } from '../primitives/hex.ts'
import { type SourceMap, SourcePositions } from './sources/SourceMap.ts'

type CellCounts = {
  readonly instructions: Map<number, { count: number; gas: number }>
  readonly branches: Map<number, { whenTrue: number; whenFalse: number }>
}

/** What has run, over any number of runs of any code: counts by cell and offset. */
export class Coverage {
  private readonly cells = new Map<string, CellCounts>()
  runs = 0

  add(coverage: readonly CellCoverage[]): void {
    this.runs++
    for (const { cell, instructions, branches } of coverage) {
      let counts = this.cells.get(cell)
      if (counts === undefined) {
        counts = { instructions: new Map(), branches: new Map() }
        this.cells.set(cell, counts)
      }
      for (const [offset, count, gas] of instructions) {
        const known = counts.instructions.get(offset)
        if (known === undefined) counts.instructions.set(offset, { count, gas })
        else {
          known.count += count
          known.gas += gas
        }
      }
      for (const [offset, whenTrue, whenFalse] of branches) {
        const known = counts.branches.get(offset)
        if (known === undefined) counts.branches.set(offset, { whenTrue, whenFalse })
        else {
          known.whenTrue += whenTrue
          known.whenFalse += whenFalse
        }
      }
    }
  }

  /** Compares with all instructions of a code. Code of a library counts where the library's cells are listed. */
  report(listing: CodeListing, map?: SourceMap): CoverageReport {
    const cells = listing.cells.map(({ hash, instructions }) => ({
      cell: hash,
      instructions: instructions.map(({ offset, op, nesting, branches }) => {
        const { count = 0, gas = 0 } = this.cells.get(hash)?.instructions.get(offset) ?? {}
        const { whenTrue = 0, whenFalse = 0 } = this.cells.get(hash)?.branches.get(offset) ?? {}
        const outcome = branches ? { when_true: whenTrue, when_false: whenFalse } : undefined
        return { offset, op, nesting, count, gas, ...(outcome && { outcome }) }
      }),
    }))
    const all = cells.flatMap(({ instructions }) => instructions)
    const outcomes = all.flatMap(({ outcome }) => (outcome ? [outcome.when_true, outcome.when_false] : []))
    return {
      code_hash: listing.code_hash,
      runs: this.runs,
      instructions: shareOf(all.map(({ count }) => count)),
      branches: shareOf(outcomes),
      cells,
      ...(map && { lines: countLines(cells, map) }),
    }
  }
}

export type Share = { readonly total: number; readonly covered: number }

export type CoveredInstruction = {
  readonly offset: number
  readonly op: string
  readonly nesting: number
  readonly count: number
  readonly gas: number
  /** How often the condition was true and false, for instructions that have one. */
  readonly outcome?: { readonly when_true: number; readonly when_false: number }
}

export type CoveredLine = {
  readonly line: number
  readonly count: number
  readonly gas: number
  readonly outcomes: readonly { readonly when_true: number; readonly when_false: number }[]
}

export type CoveredFile = { readonly path: string; readonly text?: string; readonly lines: readonly CoveredLine[] }

export type CoverageReport = {
  readonly code_hash: string
  readonly runs: number
  readonly instructions: Share
  /** Outcomes of conditions: two for each. */
  readonly branches: Share
  readonly cells: readonly { readonly cell: string; readonly instructions: readonly CoveredInstruction[] }[]
  /** With a source map. */
  readonly lines?: readonly CoveredFile[]
}

const shareOf = (counts: readonly number[]): Share => ({
  total: counts.length,
  covered: counts.filter((count) => count > 0).length,
})

const countLines = (cells: CoverageReport['cells'], map: SourceMap): CoveredFile[] => {
  const places = new SourcePositions(map)
  const files = map.files.map((file) => ({
    ...file,
    lines: new Map<number, { count: number; gas: number; outcomes: CoveredLine['outcomes'][number][] }>(),
  }))
  for (const { cell, instructions } of cells) {
    for (const { offset, count, gas, outcome } of instructions) {
      const place = places.find(cell, offset)
      const lines = place && files[place.f]?.lines
      if (place === undefined || lines === undefined) continue
      const line = lines.get(place.l) ?? { count: 0, gas: 0, outcomes: [] }
      line.count = Math.max(line.count, count)
      line.gas += gas
      if (outcome) line.outcomes.push(outcome)
      lines.set(place.l, line)
    }
  }
  return files.map(({ lines, ...file }) => ({
    ...file,
    lines: [...lines].sort(([a], [b]) => a - b).map(([line, counts]) => ({ line, ...counts })),
  }))
}

const percent = ({ total, covered }: Share): string => (total === 0 ? '–' : `${((100 * covered) / total).toFixed(1)}%`)

const linesShare = (lines: readonly CoveredLine[]): Share => shareOf(lines.map(({ count }) => count))

/** Some lines for a terminal. */
export const formatCoverage = (report: CoverageReport): string => {
  const { instructions, branches, runs, lines = [] } = report
  return [
    `code ${toHex(fromBase64(report.code_hash))}, ${runs} runs`,
    `instructions ${instructions.covered}/${instructions.total} ${percent(instructions)}`,
    `branches ${branches.covered}/${branches.total} ${percent(branches)}`,
    ...lines.map(({ path, lines: covered }) => {
      const share = linesShare(covered)
      return `${path} ${share.covered}/${share.total} lines ${percent(share)}`
    }),
  ].join('\n')
}

/** A listing as numbered lines, for code without sources. */
const listLines = ({ cells }: CoverageReport): { text: string; instruction: CoveredInstruction | undefined }[] =>
  cells.flatMap(({ cell, instructions }) => [
    { text: `// cell ${toHex(fromBase64(cell))}`, instruction: undefined },
    ...instructions.map((instruction) => ({
      text: `${'  '.repeat(instruction.nesting)}${instruction.op}`,
      instruction,
    })),
  ])

const toFiles = (report: CoverageReport): CoveredFile[] => {
  if (report.lines !== undefined) return [...report.lines]
  const listed = listLines(report)
  return [
    {
      path: `${toHex(fromBase64(report.code_hash))}.fif`,
      text: listed.map(({ text }) => text).join('\n'),
      lines: listed.flatMap(({ instruction }, k) => {
        if (instruction === undefined) return []
        const { count, gas, outcome } = instruction
        return [{ line: k + 1, count, gas, outcomes: outcome ? [outcome] : [] }]
      }),
    },
  ]
}

/** Line and branch coverage in the format of lcov; lines are those of the listing where there are no sources. */
export const formatLcov = (report: CoverageReport): string =>
  toFiles(report)
    .map(({ path, lines }) => {
      const branches = lines.flatMap(({ line, outcomes }) =>
        outcomes.flatMap(({ when_true: yes, when_false: no }, k) => [
          `BRDA:${line},${k},0,${yes + no === 0 ? '-' : yes}`,
          `BRDA:${line},${k},1,${yes + no === 0 ? '-' : no}`,
        ]),
      )
      const taken = lines.flatMap(({ outcomes }) => outcomes.flatMap((o) => [o.when_true, o.when_false]))
      const share = linesShare(lines)
      return [
        'TN:',
        `SF:${path}`,
        ...branches,
        `BRF:${taken.length}`,
        `BRH:${taken.filter((count) => count > 0).length}`,
        ...lines.map(({ line, count }) => `DA:${line},${count}`),
        `LF:${share.total}`,
        `LH:${share.covered}`,
        'end_of_record',
        '',
      ].join('\n')
    })
    .join('')

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const STYLE = `body{font:13px/1.5 ui-monospace,monospace;margin:24px;background:#fff;color:#222}
h1{font-size:16px}h2{font-size:14px;margin-top:24px}table{border-collapse:collapse;width:100%}
td{padding:0 8px;white-space:pre}td:nth-child(-n+3){text-align:right;color:#777;width:1%}
.hit{background:#e6f6e6}.miss{background:#fde8e8}.half{background:#fff6d8}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}.hit{background:#16311a}.miss{background:#3b1717}.half{background:#3a3211}}`

/** One page without scripts: each line with its runs and gas. */
export const formatCoverageHtml = (report: CoverageReport): string => {
  const { instructions, branches, runs } = report
  const files = toFiles(report).map(({ path, text = '', lines }) => {
    const byLine = new Map(lines.map((line) => [line.line, line]))
    const texts = text === '' ? lines.map(() => '') : text.split('\n')
    const last = Math.max(texts.length, lines.at(-1)?.line ?? 0)
    const rows = Array.from({ length: last }, (_, k) => {
      const counted = byLine.get(k + 1)
      const isHalf = counted?.outcomes.some((o) => (o.when_true === 0) !== (o.when_false === 0)) === true
      const kind = counted === undefined ? '' : counted.count === 0 ? 'miss' : isHalf ? 'half' : 'hit'
      const cells = [k + 1, counted?.count ?? '', counted?.gas ?? '', escapeHtml(texts[k] ?? '')]
      return `<tr class="${kind}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    })
    return `<h2>${escapeHtml(path)}</h2><table>${rows.join('')}</table>`
  })
  const summary = `${runs} runs · instructions ${percent(instructions)} · branches ${percent(branches)}`
  return `<!doctype html><meta charset="utf-8"><title>Coverage</title><style>${STYLE}</style><h1>Coverage of ${toHex(fromBase64(report.code_hash)).slice(0, 16)}…</h1><p>${summary}</p>${files.join('')}\n`
}
