import type { ActionView } from '../../api/v3/views/actions.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import type { Action, Transaction } from '../../client/generated/v3.ts'
import type { StreamEvent } from '../../client/streamEvents.ts'
import { callV3 } from '../fetch/requests.ts'
import { type Page, type Pages, SECOND, usePages, useRequest } from '../live/usePolling.ts'
import type { Stream } from '../live/useStream.ts'
import { friendlyOf } from '../model/addressBook.ts'
import {
  type Filters,
  isFilteredHere,
  matchesAction,
  matchesTransaction,
  readFilters,
  typesOf,
  windowOf,
} from '../model/filters.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Card, Empty, Failure, type IconName, Loading, LoadMore } from '../parts/basics.tsx'
import { TransactionRows } from '../parts/TransactionRows.tsx'
import { useQuery } from '../route/Link.tsx'
import { Downloads } from './Downloads.tsx'
import { FilterBar, loadMatching } from './FilterBar.tsx'

type ListProps = { readonly raw: string; readonly stream: Stream }

type FilteredList<T> = {
  readonly filters: Filters
  readonly isFiltered: boolean
  readonly load: (cursor: string | undefined, limit: number, signal?: AbortSignal) => Promise<Page<T>>
  readonly matches: ((row: T) => boolean) | undefined
}

type LiveOptions<T> = {
  readonly idOf: (row: T) => string
  readonly stream: Stream
  readonly rowsOf: (event: StreamEvent) => readonly T[]
}

/** Pages of a list. A filtered one gets new rows from the stream alone: it would scan hundreds of rows for each look. */
const useFiltered = <T,>(
  key: string,
  { filters, isFiltered, load, matches }: FilteredList<T>,
  { idOf, stream, rowsOf }: LiveOptions<T>,
): Pages<T> =>
  usePages(
    `${key} ${JSON.stringify(filters)}`,
    (cursor, signal) => loadMatching((next, limit) => load(next, limit, signal), cursor, matches),
    {
      idOf,
      stream,
      ...(!isFiltered && { pollMs: 2 * SECOND }),
      // The window of days and the types are the server's: an event may be of others.
      rowsOf: (event) => (isFiltered ? [] : rowsOf(event)),
    },
  )

/** What is said of a list without rows. */
const Nothing = ({ pages, isFiltered, icon, what }: NothingProps) => {
  if (pages.error !== undefined) return <Failure error={pages.error} />
  if (pages.rows === undefined) return <Loading lines={8} />
  if (pages.rows.length > 0) return null
  if (!isFiltered) return <Empty icon={icon}>No {what} yet.</Empty>
  return <Empty icon={icon}>{pages.hasMore ? `No match among the newest ${what}.` : `No ${what} match.`}</Empty>
}

type NothingProps = {
  readonly pages: Pages<unknown>
  readonly isFiltered: boolean
  readonly icon: IconName
  readonly what: string
}

// The client has types of its own for the rows that the interface describes.
const viewsOf = (actions: readonly Action[]): readonly ActionView[] => actions as unknown as readonly ActionView[]
const transactionViewsOf = (transactions: readonly Transaction[]): readonly TransactionView[] =>
  transactions as unknown as readonly TransactionView[]

const fileName = (raw: string, what: string): string =>
  `${friendlyOf(raw)}-${what}-${new Date().toISOString().slice(0, 10)}`

/** Actions of an account, pending ones first. */
export const History = ({ raw, stream }: ListProps) => {
  const [query] = useQuery()
  const filters = readFilters(query)
  const isFiltered = Object.keys(filters).length > 0
  const list: FilteredList<ActionView> = {
    filters,
    isFiltered,
    load: async (cursor, limit, signal) => {
      const types = typesOf(filters)
      const more = { ...(types !== undefined && { action_type: types }), ...(cursor !== undefined && { cursor }) }
      const answer = await callV3('actions', { account: raw, limit, ...windowOf(filters), ...more }, signal)
      return { rows: answer.result.actions, cursor: answer.cursor }
    },
    matches: isFilteredHere(filters) ? (action) => matchesAction(filters, action, raw) : undefined,
  }
  const pages = useFiltered(`history of ${raw}`, list, {
    idOf: ({ action_id }) => action_id,
    stream,
    rowsOf: (event) => (event.type === 'actions' && event.finality === 'finalized' ? viewsOf(event.actions) : []),
  })
  const pending = useRequest(
    `pending of ${raw}`,
    async (signal) => (await callV3('pendingActions', { account: raw }, signal)).result.actions,
    { pollMs: SECOND, stream, onEvent: updatePending },
  )
  const coming = isFiltered ? [] : leaveOutKnown(pending.value ?? [], pages.rows ?? [])
  return (
    <Card>
      <FilterBar filters={filters} owner={raw}>
        <Downloads name={fileName(raw, 'history')} {...list} writeCsv={writeActionsCsv} />
      </FilterBar>
      {coming.length === 0 && <Nothing pages={pages} isFiltered={isFiltered} icon="clock" what="actions" />}
      <ul class="actions">
        {coming.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
        {pages.rows?.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

const writeActionsCsv = async (rows: readonly ActionView[]): Promise<string> =>
  (await import('./exportRows.ts')).writeActions(rows)

/** An event replaces what was known of its trace. */
const updatePending = (event: StreamEvent, known: readonly ActionView[]): readonly ActionView[] | undefined => {
  if (event.type !== 'actions' && event.type !== 'trace_invalidated') return undefined
  const others = known.filter(
    ({ trace_external_hash: hash, trace_external_hash_norm: norm = hash }) => norm !== event.trace_external_hash_norm,
  )
  return event.type === 'actions' && event.finality !== 'finalized' ? [...viewsOf(event.actions), ...others] : others
}

const leaveOutKnown = (pending: readonly ActionView[], known: readonly ActionView[]): ActionView[] => {
  const begun = new Set(known.map(({ trace_external_hash }) => trace_external_hash))
  return pending.filter(({ trace_external_hash }) => !begun.has(trace_external_hash))
}

export const Transactions = ({ raw, stream }: ListProps) => {
  const [query] = useQuery()
  const { type: _type, token: _token, ...filters } = readFilters(query)
  const isFiltered = Object.keys(filters).length > 0
  const list: FilteredList<TransactionView> = {
    filters,
    isFiltered,
    load: async (cursor, limit, signal) => {
      const args = { account: [raw], limit, ...windowOf(filters), ...(cursor !== undefined && { cursor }) }
      const answer = await callV3('transactions', args, signal)
      return { rows: answer.result.transactions, cursor: answer.cursor }
    },
    matches: isFilteredHere(filters) ? (transaction) => matchesTransaction(filters, transaction) : undefined,
  }
  const pages = useFiltered(`transactions of ${raw}`, list, {
    idOf: ({ hash }) => hash,
    stream,
    rowsOf: (event) =>
      event.type === 'transactions' && event.finality === 'finalized' ? transactionViewsOf(event.transactions) : [],
  })
  return (
    <Card>
      <FilterBar filters={filters}>
        <Downloads name={fileName(raw, 'transactions')} {...list} writeCsv={writeTransactionsCsv} />
      </FilterBar>
      <Nothing pages={pages} isFiltered={isFiltered} icon="transaction" what="transactions" />
      {pages.rows !== undefined && pages.rows.length > 0 && (
        <TransactionRows transactions={pages.rows} hasAccount={false} />
      )}
      <LoadMore pages={pages} />
    </Card>
  )
}

const writeTransactionsCsv = async (rows: readonly TransactionView[]): Promise<string> =>
  (await import('./exportRows.ts')).writeTransactions(rows)
