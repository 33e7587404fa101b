import type { ActionView } from '../../api/v3/views/actions.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'
import { callV3, RequestError } from '../fetch/requests.ts'
import type { Page } from '../live/usePolling.ts'
import { friendlyOf, isAccount } from '../model/addressBook.ts'
import { hashToHex } from '../model/addresses.ts'
import { type CsvRow, formatDecimal, writeCsv } from '../model/csv.ts'
import { describeAction } from '../model/describeAction.ts'
import { balanceChange, findComment, nameMessage, outcomeOf } from '../model/transactions.ts'
import { setup } from '../setup.ts'

/** More rows than this are not for a page to collect: the interface has them all. */
export const MAX_EXPORTED = 10_000
const MAX_RETRIES = 5

export type Collecting<T> = {
  load(cursor: string | undefined): Promise<Page<T>>
  readonly matches: ((row: T) => boolean) | undefined
  readonly signal: AbortSignal
  onProgress(count: number): void
}

/** Rows page by page, the newest first. Rate limits are waited for. */
export const collectRows = async <T>({ load, matches, signal, onProgress }: Collecting<T>): Promise<T[]> => {
  const rows: T[] = []
  let read = 0
  let cursor: string | undefined
  do {
    const page = await loadPatiently(() => load(cursor), signal)
    signal.throwIfAborted()
    read += page.rows.length
    rows.push(...(matches === undefined ? page.rows : page.rows.filter(matches)))
    onProgress(rows.length)
    cursor = page.cursor
  } while (cursor !== undefined && read < MAX_EXPORTED)
  return rows.slice(0, MAX_EXPORTED)
}

const loadPatiently = async <T>(load: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await load()
    } catch (error) {
      const isLimit = error instanceof RequestError && error.status === 429
      if (!isLimit || tries >= MAX_RETRIES || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 1000 * 2 ** tries))
    }
  }
}

const timeText = (utime: number): string => new Date(1000 * utime).toISOString()
const accountText = (raw: string | null | undefined): string =>
  raw === null || raw === undefined ? '' : isAccount(raw) ? friendlyOf(raw) : raw

const MAX_JETTONS = 1000

type Token = { readonly symbol: string; readonly decimals: number }

const readTokens = async (jettons: readonly string[]): Promise<ReadonlyMap<string, Token>> => {
  const address = [...new Set(jettons)].slice(0, MAX_JETTONS)
  if (address.length === 0) return new Map()
  const { result } = await callV3('jetton/masters', { address, limit: address.length })
  return new Map(
    result.jetton_masters.map(({ address, jetton_content: content }) => [
      address,
      { symbol: content?.['symbol'] ?? '', decimals: Number(content?.['decimals'] ?? 9) },
    ]),
  )
}

export const writeActions = async (actions: readonly ActionView[]): Promise<string> => {
  const shown = actions.map((action) => ({ action, ...describeAction(action) }))
  const tokens = await readTokens(shown.flatMap(({ amounts }) => amounts.flatMap(({ jetton }) => jetton ?? [])))
  const amountCells = (amount: { readonly value: string; readonly jetton?: string } | undefined): CsvRow => {
    if (amount === undefined) return ['', '', '']
    if (amount.jetton === undefined) return [formatDecimal(amount.value, 9), setup.unit, '']
    const { symbol, decimals } = tokens.get(amount.jetton) ?? { symbol: '', decimals: 0 }
    return [formatDecimal(amount.value, decimals), symbol, accountText(amount.jetton)]
  }
  const head = ['time', 'type', 'success', 'from', 'to', 'amount', 'token', 'jetton', 'amount_2', 'token_2', 'jetton_2']
  const rows = shown.map(
    ({ action, from, to, amounts, note }): CsvRow => [
      timeText(action.end_utime),
      action.type,
      action.success === null ? '' : String(action.success),
      accountText(from),
      accountText(to),
      ...amountCells(amounts[0]),
      ...amountCells(amounts[1]),
      note,
      action.trace_id === null || action.trace_id === undefined ? '' : hashToHex(action.trace_id),
    ],
  )
  return writeCsv([[...head, 'note', 'trace'], ...rows])
}

export const writeTransactions = (transactions: readonly TransactionView[]): string => {
  const head = ['time', 'hash', 'lt', 'message', 'from', 'value', 'comment', 'out_messages', 'fee', 'balance_change']
  const rows = transactions.map((transaction): CsvRow => {
    const { in_msg: message, description } = transaction
    const change = balanceChange(transaction)
    const after = transaction.account_state_after.balance
    return [
      timeText(transaction.now),
      hashToHex(transaction.hash),
      transaction.lt,
      message === null ? description.type : nameMessage(message),
      accountText(message?.source),
      message?.value === null || message?.value === undefined ? '' : formatDecimal(message.value, 9),
      message === null ? '' : findComment(message),
      transaction.out_msgs.length,
      formatDecimal(transaction.total_fees, 9),
      change === undefined ? '' : formatDecimal(change, 9),
      after === null ? '' : formatDecimal(after, 9),
      outcomeOf(transaction) === 'failed' ? 'false' : 'true',
      description.compute_ph?.exit_code,
    ]
  })
  return writeCsv([[...head, 'balance', 'success', 'exit_code'], ...rows])
}

/** One row a line: tools that read lines can read it too. */
export const writeJson = (rows: readonly unknown[]): string =>
  rows.length === 0 ? '[]\n' : `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
