import { type Static, Type } from 'typebox'
import type { VmRecording } from '../../chain/recording.ts'
import type { Fees } from '../../chain/transactionFees.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import type { EmulatedTransaction } from '../../emulate/emulate.ts'
import { type BalanceChange, nameOf, type Summary } from '../../emulate/summary.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { AnswerTooLongError } from '../v3/errors.ts'
import { AccountStateView } from '../v3/views/accounts.ts'
import { ActionView } from '../v3/views/actions.ts'
import { AddressBookView, MetadataView } from '../v3/views/addressBook.ts'
import {
  AccountStatusView,
  AddressText,
  BocText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  hashText,
} from '../v3/views/scalars.ts'
import { type TraceNode, TraceNodeView } from '../v3/views/traces.ts'
import { TransactionView } from '../v3/views/transactions.ts'

/** Fees by kind. */
export const FeesView = Type.Object(
  {
    storage: DecimalText,
    gas: DecimalText,
    action: DecimalText,
    forward: DecimalText,
    import: DecimalText,
    total: DecimalText,
  },
  { $id: 'Fees' },
)

const BalanceChangeView = Type.Object(
  {
    native: Type.Optional(DecimalText),
    extra_currencies: Type.Optional(ExtraCurrenciesView),
    jettons: Type.Optional(Type.Record(Type.String(), DecimalText, { description: 'By address of the master.' })),
    nfts: Type.Optional(Type.Object({ in: Type.Array(AddressText), out: Type.Array(AddressText) })),
  },
  { $id: 'BalanceChange', description: 'Zero changes are left out.' },
)

const FailedView = Type.Object(
  {
    tx: HashText,
    account: AddressText,
    phase: Type.Union([Type.Literal('compute'), Type.Literal('action')]),
    exit_code: Type.Optional(Type.Integer()),
    result_code: Type.Optional(Type.Integer()),
    reason: Type.String(),
  },
  { $id: 'FailedTransaction' },
)

const SummaryView = Type.Object(
  {
    fees: Type.Object({ ...FeesView.properties, by_account: Type.Record(Type.String(), FeesView) }),
    balance_changes: Type.Record(Type.String(), BalanceChangeView),
    payer: Type.Optional(AddressText),
    paid: DecimalText,
    burned: Type.Optional(
      Type.String({ description: 'Coins sent to the address of configuration parameter 5, which burns them.' }),
    ),
    failed: Type.Array(FailedView),
    bounced: DecimalText,
    undelivered: Type.Array(
      Type.Object({ hash: HashText, destination: Type.Optional(AddressText), value: DecimalText }),
    ),
    new_contracts: Type.Array(AddressText),
    destroyed: Type.Array(AddressText),
    risk: Type.Optional(
      Type.Object({
        sends_all: Type.Boolean(),
        native: DecimalText,
        jettons: Type.Record(Type.String(), DecimalText),
        nfts: Type.Array(AddressText),
      }),
    ),
  },
  { $id: 'EmulationSummary' },
)

const EmulatedTransactionView = Type.Object(
  {
    ...TransactionView.properties,
    account_state_before: Type.Object({
      ...AccountStateView.properties,
      overridden: Type.Optional(Type.Boolean({ description: 'The state is an override of the request.' })),
    }),
  },
  { $id: 'EmulatedTransaction' },
)

const CellsView = Type.Record(Type.String(), BocText, { description: 'Cells by hash.' })

export const EmulationView = Type.Object(
  {
    mc_block_seqno: Type.Integer({ description: 'Masterchain block whose state was used.' }),
    trace: Type.Unsafe<TraceNode>(TraceNodeView),
    transactions: Type.Record(Type.String(), EmulatedTransactionView),
    actions: Type.Array(ActionView),
    code_cells: Type.Optional(CellsView),
    data_cells: Type.Optional(CellsView),
    address_book: Type.Optional(AddressBookView),
    metadata: Type.Optional(MetadataView),
    rand_seed: Type.String({ description: 'Seed of the blocks, base64.' }),
    is_incomplete: Type.Boolean({ description: 'The emulation ended before the trace.' }),
    incomplete_reason: Type.Optional(Type.String({ examples: ['transactions'] })),
    summary: Type.Optional(SummaryView),
    vm: Type.Optional(
      Type.Record(Type.String(), Type.Unsafe<VmRecording>(Type.Unknown()), {
        description: 'Recorded runs by transaction hash, in the shape of the debugger.',
      }),
    ),
  },
  { $id: 'Emulation' },
)

export type EmulationView = Static<typeof EmulationView>

const FinalStateView = Type.Object(
  {
    status: AccountStatusView,
    balance: DecimalText,
    extra_currencies: Type.Optional(ExtraCurrenciesView),
    code: Type.Optional(BocText),
    data: Type.Optional(BocText),
    last_trans_lt: DecimalText,
  },
  { $id: 'SimulatedAccount' },
)

export const SimulationView = Type.Object(
  {
    mc_block_seqno: Type.Integer(),
    rand_seed: Type.String(),
    steps: Type.Array(
      Type.Object({
        ok: Type.Boolean(),
        result: Type.Optional(Type.Unknown({ description: 'A trace, or the result of a get-method.' })),
        error: Type.Optional(Type.String()),
        code: Type.Optional(Type.String()),
        exit_code: Type.Optional(Type.Integer()),
      }),
    ),
    summary: Type.Optional(SummaryView),
    accounts: Type.Optional(Type.Record(Type.String(), FinalStateView)),
  },
  { $id: 'Simulation' },
)

export const toFeesView = (fees: Fees): Static<typeof FeesView> => ({
  storage: String(fees.storage),
  gas: String(fees.gas),
  action: String(fees.action),
  forward: String(fees.forward),
  import: String(fees.import),
  total: String(fees.total),
})

const textsOf = <K extends string | number>(amounts: ReadonlyMap<K, bigint>): Record<string, string> =>
  Object.fromEntries([...amounts].map(([key, amount]) => [String(key), String(amount)]))

const toChangeView = (change: BalanceChange): Static<typeof BalanceChangeView> => ({
  ...(change.native !== 0n && { native: String(change.native) }),
  ...(change.extraCurrencies.size > 0 && { extra_currencies: textsOf(change.extraCurrencies) }),
  ...(change.jettons.size > 0 && { jettons: textsOf(change.jettons) }),
  ...(change.nftsIn.length + change.nftsOut.length > 0 && {
    nfts: { in: [...change.nftsIn], out: [...change.nftsOut] },
  }),
})

export const toSummaryView = (summary: Summary): Static<typeof SummaryView> => ({
  fees: {
    ...toFeesView(summary.fees),
    by_account: Object.fromEntries([...summary.feesByAccount].map(([name, fees]) => [name, toFeesView(fees)])),
  },
  balance_changes: Object.fromEntries([...summary.changes].map(([name, change]) => [name, toChangeView(change)])),
  ...(summary.payer !== undefined && { payer: summary.payer }),
  paid: String(summary.paid),
  ...(summary.burned !== 0n && { burned: String(summary.burned) }),
  failed: summary.failed.map(({ hash, account, phase, exitCode, resultCode, reason }) => ({
    tx: hashText(hash),
    account,
    phase,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(resultCode !== undefined && { result_code: resultCode }),
    reason,
  })),
  bounced: String(summary.bounced),
  undelivered: summary.undelivered.map(({ cell, to, value }) => ({
    hash: hashText(cell.hash()),
    ...(to !== undefined && { destination: nameOf(to) }),
    value: String(value?.grams ?? 0n),
  })),
  new_contracts: [...summary.newContracts],
  destroyed: [...summary.destroyed],
  ...(summary.risk !== undefined && {
    risk: {
      sends_all: summary.risk.sendsAll,
      native: String(summary.risk.native),
      jettons: textsOf(summary.risk.jettons),
      nfts: [...summary.risk.nfts],
    },
  }),
})

/** Characters of all cells of an answer. */
const MAX_CELL_TEXT = 32 * 1024 * 1024

/** Code and data of all states met, by hash. */
export const toCellViews = (
  transactions: readonly Pick<EmulatedTransaction, 'before' | 'after'>[],
): { code_cells: Record<string, string>; data_cells: Record<string, string> } => {
  const cells = { code_cells: {} as Record<string, string>, data_cells: {} as Record<string, string> }
  let room = MAX_CELL_TEXT
  const add = (texts: Record<string, string>, cell: Cell | undefined): void => {
    const hash = cell && hashText(cell.hash(0))
    if (cell === undefined || hash === undefined || texts[hash] !== undefined) return
    const text = toBase64(encodeBoc([cell], CHECKED_BOC))
    room -= text.length
    if (room < 0) throw new AnswerTooLongError(MAX_CELL_TEXT)
    texts[hash] = text
  }
  for (const { before, after } of transactions) {
    for (const state of [before, after]) {
      const init = initOf(state)
      add(cells.code_cells, init?.code)
      add(cells.data_cells, init?.data)
    }
  }
  return cells
}

const initOf = ({ account }: ShardAccount) => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init : undefined
}

export const toFinalStateView = ({ account, lastTransLt }: ShardAccount): Static<typeof FinalStateView> => {
  const opened = openAccount(account)
  if (opened.kind === 'none') return { status: 'nonexist', balance: '0', last_trans_lt: String(lastTransLt) }
  const { state, balance } = opened
  const extra: Record<string, string> = {}
  for (const [id, amount] of balance.extra.entries()) extra[id] = String(amount)
  const init = state.kind === 'active' ? state.init : undefined
  return {
    status: state.kind,
    balance: String(balance.grams),
    ...(Object.keys(extra).length > 0 && { extra_currencies: extra }),
    ...(init?.code !== undefined && { code: bocText(init.code) }),
    ...(init?.data !== undefined && { data: bocText(init.data) }),
    last_trans_lt: String(lastTransLt),
  }
}

const bocText = (cell: Cell): string => toBase64(encodeBoc([cell], CHECKED_BOC))

type StackEntry =
  | { readonly type: 'num' | 'cell' | 'slice' | 'unsupported'; readonly value: string }
  | { readonly type: 'tuple' | 'list'; readonly value: readonly StackEntry[] }

/** A stack entry as v3 shows it. */
export const toStackEntry = (value: VmValue): StackEntry => {
  switch (value.kind) {
    case 'int':
      return {
        type: 'num',
        value: value.value < 0n ? `-0x${(-value.value).toString(16)}` : `0x${value.value.toString(16)}`,
      }
    case 'nan':
      return { type: 'num', value: 'NaN' }
    case 'null':
      return { type: 'list', value: [] }
    case 'cell':
      return { type: 'cell', value: bocText(value.cell) }
    case 'slice':
      return { type: 'slice', value: bocText(sliceToCell(value.slice)) }
    case 'tuple':
      return { type: 'tuple', value: value.items.map(toStackEntry) }
    default:
      return { type: 'unsupported', value: value.kind }
  }
}
