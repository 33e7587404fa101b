import { formatRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { formatCoins } from './formatReport.ts'
import { askService, serviceOf, type TraceTarget } from './readTarget.ts'

type TraceNode = { readonly tx_hash: string; readonly children: readonly TraceNode[] | null }

type TracedTransaction = {
  readonly account: string
  readonly hash: string
  readonly lt: string
  readonly total_fees: string
  readonly in_msg: {
    readonly value: string | null
    readonly opcode: string | number | null
    readonly message_content: { readonly decoded: { readonly '@type'?: string; readonly type?: string } | null } | null
  } | null
  readonly description: {
    readonly aborted?: boolean
    readonly compute_ph?: { readonly exit_code?: number; readonly gas_used?: string; readonly reason?: string }
    readonly action?: { readonly result_code: number }
  }
}

/** The trace of a transaction as a tree, from a service with an index. */
export const formatTraceTree = async (
  context: CommandContext,
  target: TraceTarget,
): Promise<{ readonly text: string; readonly value: unknown }> => {
  if (target.kind === 'file') {
    throw new UsageError('A file has one transaction, not its trace.', 'Give the hash of the transaction.')
  }
  const { config } = context
  const base = serviceOf(context)
  const hash = target.hash ?? (await findHash(base, target, config.apiKey?.reveal()))
  const answer = (await askService(`${base}/api/v3/traces?tx_hash=${toHexText(hash)}`, config.apiKey?.reveal())) as {
    readonly traces: readonly { readonly trace: TraceNode; readonly transactions: Record<string, TracedTransaction> }[]
  }
  const [found] = answer.traces
  if (found === undefined)
    throw new UsageError('The service has no trace of this transaction.', 'It may not be indexed yet.')
  return { text: formatNode(found.trace, found.transactions, '', '').join('\n'), value: found }
}

const toHexText = (hash: Uint8Array | string): string =>
  encodeURIComponent(typeof hash === 'string' ? hash : toHex(hash))

const findHash = async (
  base: string,
  { address, lt }: Extract<TraceTarget, { readonly kind: 'transaction' }>,
  apiKey: string | undefined,
): Promise<string> => {
  const query = `account=${encodeURIComponent(formatRawAddress(address))}&lt=${lt}&limit=1`
  const { transactions } = (await askService(`${base}/api/v3/transactions?${query}`, apiKey)) as {
    readonly transactions: readonly TracedTransaction[]
  }
  const [first] = transactions
  if (first !== undefined) return first.hash
  throw new UsageError('The service does not have this transaction.', 'It may not be indexed.')
}

const formatNode = (
  { tx_hash: hash, children }: TraceNode,
  transactions: Readonly<Record<string, TracedTransaction>>,
  first: string,
  rest: string,
): string[] => {
  const below = children ?? []
  return [
    `${first}${describe(transactions[hash], hash)}`,
    ...below.flatMap((child, k) => {
      const isLast = k === below.length - 1
      return formatNode(child, transactions, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`)
    }),
  ]
}

const describe = (transaction: TracedTransaction | undefined, hash: string): string => {
  if (transaction === undefined) return hash
  const { account, in_msg: message, description, total_fees: fees } = transaction
  const { compute_ph: compute, action } = description
  const decoded = message?.message_content?.decoded
  const op = decoded?.['@type'] ?? decoded?.type ?? message?.opcode ?? undefined
  return [
    `${account.slice(0, 10)}…${account.slice(-4)}`,
    op === undefined || op === null ? undefined : String(op),
    message?.value === null || message?.value === undefined ? undefined : `${formatCoins(message.value)} coins`,
    compute?.gas_used === undefined ? undefined : `${compute.gas_used} gas`,
    `fees ${formatCoins(fees)}`,
    compute?.reason === undefined ? undefined : `skipped: ${compute.reason}`,
    compute?.exit_code === undefined || compute.exit_code < 2 ? undefined : `EXIT ${compute.exit_code}`,
    action === undefined || action.result_code === 0 ? undefined : `ACTION ${action.result_code}`,
  ]
    .filter((part) => part !== undefined)
    .join('  ')
}
