import type { ReplayView } from '../../api/debug/views.ts'
import type { VmView } from '../../api/debug/vmViews.ts'
import { methodName } from '../../debug/methodNames.ts'
import { formatValue, stackBefore } from '../../debug/result/stackAt.ts'

const COIN = 1_000_000_000n
const HASH_SHOWN = 8
const SHOWN_DIFFERENCES = 20
const SHOWN_ROWS = 20

/** An amount in coins: nine digits behind the point, without zeros at the end. */
export const formatCoins = (text: string): string => {
  const amount = BigInt(text)
  const sign = amount < 0n ? '-' : ''
  const absolute = amount < 0n ? -amount : amount
  const rest = (absolute % COIN).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${absolute / COIN}${rest === '' ? '' : `.${rest}`}`
}

const line = (name: string, value: string): string => `  ${name.padEnd(12)}${value}`

const verdicts: { readonly [replay: string]: string } = {
  exact: 'exact: the transaction made here has the hash of the one on chain',
  state_exact: 'state exact: the new account state is that of the chain, other parts differ',
  differs: 'DIFFERS from the chain: do not trust the steps below',
  partial: 'PARTIAL: inputs are missing, and it differs from the chain',
  changed: 'changed: run with other inputs than on chain',
}

/** The verdict with what differs. */
export const formatVerdict = ({ verdict }: ReplayView): string[] => [
  line('verdict', verdicts[verdict.replay] ?? verdict.replay),
  ...(verdict.missing.length > 0 ? [line('missing', verdict.missing.join(', '))] : []),
  ...verdict.differences
    .slice(0, SHOWN_DIFFERENCES)
    .map(({ member, chain, replay }) => `    ${member}: ${chain ?? 'none'} on chain, ${replay ?? 'none'} here`),
  ...(verdict.warning === undefined ? [] : [line('warning', verdict.warning)]),
]

/** The default report: what happened, and where it failed. */
export const formatReport = (view: ReplayView): string => {
  const { transaction, inputs } = view
  const lines = [
    `Transaction ${transaction.hash}`,
    line('account', transaction.account),
    line('lt', `${transaction.lt} at ${new Date(transaction.now * 1000).toISOString().slice(0, 19)}Z`),
    line(
      'block',
      `(${inputs.block.workchain},${inputs.block.shard.toLowerCase()},${inputs.block.seqno}), configuration of masterchain block ${inputs.mc_block_seqno}`,
    ),
    ...formatVerdict(view),
    ...formatMessage(view),
    '',
    ...formatPhases(view),
    '',
    ...formatMoney(view),
    ...formatActions(view),
    ...formatFailure(view),
  ]
  return lines.join('\n')
}

const formatMessage = ({ transaction: { in_msg: message, description } }: ReplayView): string[] => {
  if (message === null) return [line('cause', description.type === 'tick_tock' ? 'tick-tock' : description.type)]
  const value = message.value === null || message.value === undefined ? '' : `, ${formatCoins(message.value)} coins`
  const op = message.opcode === null || message.opcode === undefined ? '' : `, op ${formatOpcode(message.opcode)}`
  return [
    line('message', `from ${message.source ?? 'outside'}${value}${op}${message.bounced === true ? ', bounced' : ''}`),
  ]
}

const formatOpcode = (opcode: number | string): string => `0x${(Number(opcode) >>> 0).toString(16).padStart(8, '0')}`

const formatPhases = ({ phases, vm, skipped }: ReplayView): string[] => {
  if (phases === undefined) return ['The external message was not accepted: there is no transaction.']
  const { storage_ph: storage, compute_ph: compute, action, aborted } = phases
  const entry = vm === undefined ? '' : ` in ${methodName(vm.entry.method_id)}`
  const ran = `exit code ${compute?.exit_code}, gas ${compute?.gas_used} of ${compute?.gas_limit}, ${compute?.vm_steps} steps${entry}`
  return [
    'Phases',
    ...(storage === undefined ? [] : [line('storage', `fees ${formatCoins(storage.storage_fees_collected)}`)]),
    ...(compute === undefined ? [] : [line('compute', skipped === undefined ? ran : `skipped: ${skipped}`)]),
    ...(action === undefined
      ? []
      : [
          line(
            'action',
            `result code ${action.result_code}, ${action.tot_actions} actions, ${action.msgs_created} messages, ${action.skipped_actions} skipped`,
          ),
        ]),
    ...(aborted === true ? [line('aborted', 'yes')] : []),
  ]
}

const formatMoney = ({ money }: ReplayView): string[] => {
  if (money === undefined) return []
  const { fees } = money
  const parts = Object.entries(fees).filter(([name, amount]) => name !== 'total' && amount !== '0')
  return [
    'Money',
    line('before', formatCoins(money.before)),
    line('in', formatCoins(money.in)),
    line('out', formatCoins(money.out)),
    line(
      'fees',
      `${formatCoins(fees.total)}${parts.length === 0 ? '' : ` (${parts.map(([name, amount]) => `${name} ${formatCoins(amount)}`).join(', ')})`}`,
    ),
    line('after', formatCoins(money.after)),
  ]
}

const formatActions = ({ actions }: ReplayView): string[] =>
  actions.length === 0
    ? []
    : [
        '',
        'Actions',
        ...actions.map(({ kind, mode, value, destination, code_hash: code, result_code: result, skipped, step }, at) =>
          [
            `  ${at} ${kind}`,
            destination === undefined ? undefined : `to ${destination}`,
            value === undefined ? undefined : `${formatCoins(value)} coins`,
            code === undefined ? undefined : `hash ${code}`,
            mode === undefined ? undefined : `mode ${mode}`,
            step === undefined ? undefined : `queued at step ${step}`,
            result === undefined ? undefined : `FAILED with ${result}`,
            skipped && result === undefined ? 'skipped' : undefined,
          ]
            .filter((part) => part !== undefined)
            .join(', '),
        ),
      ]

const formatFailure = ({ failure, vm }: ReplayView): string[] => {
  if (failure === undefined) return []
  const code = failure.exit_code ?? failure.result_code
  const where = failure.step === undefined ? '' : ` at step ${failure.step}`
  const steps =
    vm === undefined || failure.step === undefined ? [] : ['', ...formatSteps(vm, { to: failure.step + 1, last: 11 })]
  return [
    '',
    `Failed in the ${failure.phase} phase${where}: ${code === undefined ? '' : `${code}, `}${failure.meaning} (${failure.name}).`,
    ...steps,
  ]
}

export type StepRange = {
  readonly from?: number
  readonly to?: number
  /** Only so many at the end of the range. */
  readonly last?: number
  /** Values of the stack to show. */
  readonly top?: number
  readonly cells?: ReadonlySet<string>
}

/** Steps as lines: number, instruction, gas, and the top of the stack before it. */
export const formatSteps = (vm: VmView, range: StepRange = {}): string[] => {
  const { from = vm.steps_from, to = Number.POSITIVE_INFINITY, last, top = 4, cells } = range
  const chosen = vm.steps.filter(({ i, cell }) => i >= from && i < to && (cells === undefined || cells.has(cell)))
  return chosen.slice(last === undefined ? 0 : -last).map((step) => {
    const stack = stackBefore(vm, step.i)
    const shown = top === 0 ? '' : stack.slice(-top).map(formatValue).join(' ')
    const hidden = stack.length > top ? '… ' : ''
    const thrown =
      step.exc === undefined ? '' : `  !! ${step.exc.code} ${step.exc.text}${step.exc.caught ? ' (caught)' : ''}`
    const loc = findLocation(step)
    const indent = '  '.repeat(Math.min(step.d, 10))
    return `${String(step.i).padStart(6)} ${step.cell.slice(0, HASH_SHOWN)}:${String(step.offset).padEnd(4)} ${`${indent}${step.op}`.padEnd(30)} ${String(step.gas).padStart(5)} gas | ${hidden}${shown}${thrown}${loc}`
  })
}

/** The line of the source, where there is a source map. */
const findLocation = (step: VmView['steps'][number]): string => {
  const { loc } = step as { readonly loc?: { readonly f: number; readonly l: number; readonly fn?: string } }
  return loc === undefined ? '' : `  // file ${loc.f}, line ${loc.l}${loc.fn === undefined ? '' : ` in ${loc.fn}`}`
}

const table = (title: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = title.map((name, k) => Math.max(name.length, ...rows.map((row) => row[k]!.length)))
  return [title, ...rows].map((row) =>
    `  ${row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  ')}`.trimEnd(),
  )
}

/** Gas by method, cell and instruction. */
export const formatGas = ({ summary, gas }: VmView): string => {
  const share = (part: number): string => `${((100 * part) / Math.max(1, gas.used)).toFixed(1)}%`
  const methods = [...summary.methods].sort((a, b) => b.self - a.self)
  const cells = [...summary.cells].sort((a, b) => b.gas - a.gas).slice(0, SHOWN_ROWS)
  const instructions = [...summary.instructions].sort((a, b) => b.gas - a.gas).slice(0, SHOWN_ROWS)
  return [
    `Gas used: ${gas.used} of ${gas.limit}`,
    ...table(
      ['method', 'runs', 'self', 'total', 'share'],
      methods.map(({ id, runs, self, total }) => [
        methodName(id),
        String(runs),
        String(self),
        String(total),
        share(self),
      ]),
    ),
    '',
    ...table(
      ['cell', 'runs', 'steps', 'loads', 'gas', 'share'],
      cells.map((cell) => [
        cell.hash,
        String(cell.runs),
        String(cell.steps),
        String(cell.loads_first + cell.loads_again),
        String(cell.gas),
        share(cell.gas),
      ]),
    ),
    '',
    ...table(
      ['instruction', 'count', 'gas', 'share'],
      instructions.map(({ op, count, gas: own }) => [op, String(count), String(own), share(own)]),
    ),
  ].join('\n')
}

/** The account before and after. */
export const formatDiff = ({ state }: ReplayView): string =>
  state.changes.length === 0
    ? 'The account did not change.'
    : [
        'Account',
        ...state.changes.map(({ member, before, after }) => line(member, `${before ?? 'none'} → ${after ?? 'none'}`)),
      ].join('\n')
