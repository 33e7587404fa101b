import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { callV3 } from '../fetch/requests.ts'
import { type Page, useRequest } from '../live/usePolling.ts'
import { actionGroups, type Filters, filterNames } from '../model/filters.ts'
import { useJetton } from '../parts/Amount.tsx'
import { useQuery } from '../route/Link.tsx'
import { setup } from '../setup.ts'

type BarProps = {
  readonly filters: Filters
  /** The owner of the tokens to choose from; without one there is no choice of type and token. */
  readonly owner?: string
  readonly children: ComponentChildren
}

/** Filters of a list, folded until they are wanted. They are in the address bar. */
export const FilterBar = ({ filters, owner, children }: BarProps) => {
  const [, setQuery] = useQuery()
  const count = Object.keys(filters).length
  const [isOpen, setOpen] = useState(count > 0)
  const set = (name: keyof Filters) => (value: string) => setQuery({ [name]: value }, 'replace')
  const clear = (): void => setQuery(Object.fromEntries(filterNames.map((name) => [name, undefined])), 'replace')
  return (
    <div class="filter-bar">
      <div class="filter-line">
        <button type="button" class="button is-small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filter{count > 0 && ` (${count})`}
        </button>
        {count > 0 && (
          <button type="button" class="button is-small" onClick={clear}>
            Clear
          </button>
        )}
        <span class="filter-space" />
        {children}
      </div>
      {isOpen && (
        <div class="filters">
          <Choice label="Direction" value={filters.dir} onChange={set('dir')}>
            <option value="in">incoming</option>
            <option value="out">outgoing</option>
          </Choice>
          {owner !== undefined && (
            <Choice label="Type" value={filters.type} onChange={set('type')}>
              {actionGroups.map(({ key, title }) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </Choice>
          )}
          {owner !== undefined && <TokenChoice owner={owner} value={filters.token} onChange={set('token')} />}
          <Choice label="Result" value={filters.result} onChange={set('result')}>
            <option value="ok">succeeded</option>
            <option value="failed">failed</option>
          </Choice>
          <Day label="From" value={filters.from} onChange={set('from')} />
          <Day label="To" value={filters.to} onChange={set('to')} />
        </div>
      )}
    </div>
  )
}

type FieldProps = { readonly label: string; readonly value: string | undefined; onChange(value: string): void }

const Choice = ({ label, value = '', onChange, children }: FieldProps & { readonly children: ComponentChildren }) => (
  <label>
    <span class="label">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">all</option>
      {children}
    </select>
  </label>
)

const Day = ({ label, value = '', onChange }: FieldProps) => (
  <label>
    <span class="label">{label}</span>
    <input type="date" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  </label>
)

const MAX_TOKENS = 100

const TokenChoice = ({ owner, value, onChange }: Omit<FieldProps, 'label'> & { readonly owner: string }) => {
  const { value: jettons = [] } = useRequest(`tokens of ${owner}`, async (signal) => {
    const { result } = await callV3('jetton/wallets', { owner_address: [owner], limit: MAX_TOKENS }, signal)
    return result.jetton_wallets.map(({ jetton }) => jetton)
  })
  const others = value === undefined || value === 'coin' || jettons.includes(value) ? [] : [value]
  return (
    <Choice label="Token" value={value} onChange={onChange}>
      <option value="coin">{setup.unit}</option>
      {[...jettons, ...others].map((jetton) => (
        <JettonOption key={jetton} jetton={jetton} />
      ))}
    </Choice>
  )
}

const JettonOption = ({ jetton }: { readonly jetton: string }) => {
  const known = useJetton(jetton)
  return <option value={jetton}>{known?.symbol ?? known?.name ?? jetton.slice(0, 12)}</option>
}

const WANTED_ROWS = 25
const ROWS_PER_SCAN = 100
const MAX_SCANS = 5

/** A page of rows that match. A long list without any ends after a few hundred rows, and goes on when it is asked to. */
export const loadMatching = async <T,>(
  load: (cursor: string | undefined, limit: number) => Promise<Page<T>>,
  cursor: string | undefined,
  matches: ((row: T) => boolean) | undefined,
): Promise<Page<T>> => {
  if (matches === undefined) return load(cursor, WANTED_ROWS)
  const rows: T[] = []
  let next = cursor
  for (let scans = 0; scans < MAX_SCANS; scans++) {
    const page = await load(next, ROWS_PER_SCAN)
    rows.push(...page.rows.filter(matches))
    next = page.cursor
    if (next === undefined || rows.length >= WANTED_ROWS) break
  }
  return { rows, cursor: next }
}
