import { useMemo, useState } from 'preact/hooks'
import { hashToHex, shorten } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import { buildFlame, type FlameBar, findFlame, layoutFlame } from '../model/gasFlame.ts'
import { nameMethod } from '../model/methods.ts'
import type { VmRun } from '../model/vmSteps.ts'
import { Card, type Tab, TableFrame, Tabs } from '../parts/basics.tsx'

type Summary = VmRun['summary']

const BAR_HEIGHT = 24

/** Gas by call stack: a bar is as wide as what the frame and its calls have used. A click makes it the whole width. */
const FlameChart = ({ stacks }: { readonly stacks: Summary['stacks'] }) => {
  const [focused, focus] = useState<string>()
  const all = useMemo(() => buildFlame(stacks), [stacks])
  // A run with one entry needs no bar above it.
  const whole = all.children.length === 1 && all.self === 0 ? all.children[0]! : all
  const root = (focused === undefined ? undefined : findFlame(whole, focused)) ?? whole
  const bars = layoutFlame(root)
  const rows = Math.max(0, ...bars.map(({ depth }) => depth)) + 1
  return (
    <div class="flame-frame">
      <section class="flame" aria-label="Gas by call stack" style={{ height: `${rows * BAR_HEIGHT}px` }}>
        {bars.map((bar) => (
          <Bar
            key={bar.node.path}
            bar={bar}
            whole={whole.gas}
            onFocus={() => focus(bar.node === root || bar.node === whole ? undefined : bar.node.path)}
          />
        ))}
      </section>
      {root !== whole && (
        <button type="button" class="button is-small" onClick={() => focus(undefined)}>
          Whole run
        </button>
      )}
    </div>
  )
}

type BarProps = { readonly bar: FlameBar; readonly whole: number; onFocus(): void }

const Bar = ({ bar: { node, depth, x, width }, whole, onFocus }: BarProps) => {
  const about = `${node.name}: ${groupDigits(node.gas)} gas, ${formatShare(node.gas, whole)}; ${groupDigits(node.self)} without calls`
  return (
    <button
      type="button"
      class={`flame-bar is-${depth % 4}`}
      title={about}
      aria-label={about}
      style={{ left: `${100 * x}%`, width: `${100 * width}%`, top: `${depth * BAR_HEIGHT}px` }}
      onClick={onFocus}
    >
      {width > 0.02 && node.name}
    </button>
  )
}

const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %`

type GasRow = {
  readonly name: string
  readonly title?: string
  readonly values: readonly string[]
  readonly gas: number
}
type GasTable = { readonly columns: readonly string[]; readonly rows: readonly GasRow[] }

const tables: Record<'method' | 'instruction' | 'cell', (summary: Summary) => GasTable> = {
  method: ({ methods }) => ({
    columns: ['Method', 'Runs', 'Gas with calls', 'Gas'],
    rows: methods.map(({ id, runs, self, total }) => ({
      name: nameMethod(id),
      title: String(id),
      values: [groupDigits(runs), groupDigits(total)],
      gas: self,
    })),
  }),
  instruction: ({ instructions }) => ({
    columns: ['Instruction', 'Count', 'Gas'],
    rows: instructions.map(({ op, count, gas }) => ({ name: op, values: [groupDigits(count)], gas })),
  }),
  cell: ({ cells }) => ({
    columns: ['Cell', 'Runs', 'Steps', 'Gas'],
    rows: cells.map(({ hash, runs, steps, gas }) => ({
      name: shorten(hashToHex(hash), 8, 6),
      title: hashToHex(hash),
      values: [groupDigits(runs), groupDigits(steps)],
      gas,
    })),
  }),
}

const gasTabs: readonly Tab<keyof typeof tables>[] = [
  { key: 'method', title: 'By method' },
  { key: 'instruction', title: 'By instruction' },
  { key: 'cell', title: 'By cell' },
]

const FIRST_ROWS = 12

/** Where the gas went: a flame chart, and tables by method, instruction and cell. */
export const GasCard = ({ vm: { summary, gas } }: { readonly vm: VmRun }) => {
  const [by, setBy] = useState<keyof typeof tables>('method')
  const [isWhole, showAll] = useState(false)
  const { columns, rows: sorted } = useMemo(() => {
    const { columns, rows } = tables[by](summary)
    return { columns, rows: [...rows].sort((a, b) => b.gas - a.gas) }
  }, [summary, by])
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_ROWS)
  return (
    <Card
      title="Gas"
      aside={
        <span class="muted small">
          {groupDigits(gas.used)} of {groupDigits(Math.max(gas.limit, gas.credit))}
        </span>
      }
    >
      <FlameChart stacks={summary.stacks} />
      <Tabs label="Gas by" tabs={gasTabs} current={by} onChange={(key) => setBy(key)} />
      <TableFrame label="Gas">
        <table class="table gas-table">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} class={index === 0 ? '' : 'number'}>
                  {column}
                </th>
              ))}
              <th class="number">Share</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, title, values, gas: used }) => (
              <tr key={title ?? name}>
                <td class="mono" data-label={columns[0]} title={title}>
                  {name}
                </td>
                {[...values, groupDigits(used)].map((value, index) => (
                  <td key={columns[index + 1]} class="number" data-label={columns[index + 1]}>
                    {value}
                  </td>
                ))}
                <td class="number" data-label="Share">
                  {formatShare(used, gas.used)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
      {sorted.length > shown.length && (
        <div class="load-more">
          <button type="button" class="button is-small" onClick={() => showAll(true)}>
            {sorted.length - shown.length} more
          </button>
        </div>
      )}
    </Card>
  )
}
