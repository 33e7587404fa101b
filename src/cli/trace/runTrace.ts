import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { newTrace } from '../../api/core/Call.ts'
import { readTexts } from '../../api/core/json/stringifyJson.ts'
import { withSource } from '../../api/debug/endpoints.ts'
import { type ReplayView, toReplayView } from '../../api/debug/views.ts'
import type { VmView } from '../../api/debug/vmViews.ts'
import { AnswerBudget } from '../../api/v3/AnswerBudget.ts'
import { MAX_RECORDED_STEPS, type RecordOptions } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { DebuggedRun } from '../../debug/dap/DapSession.ts'
import { ReplayFileError } from '../../debug/errors.ts'
import { methodName } from '../../debug/methodNames.ts'
import { formatFolded, toCpuProfile } from '../../debug/profile.ts'
import { changeAccount, changeConfig } from '../../debug/replay/changes.ts'
import { fetchReplay } from '../../debug/replay/fetchReplay.ts'
import {
  formatReplayFile,
  type LoadedReplay,
  MAX_REPLAY_FILE_BYTES,
  parseReplayFile,
} from '../../debug/replay/replayFile.ts'
import { type Replay, type ReplayChanges, replayTransaction } from '../../debug/replay/replayTransaction.ts'
import { importSourceMap } from '../../debug/sources/importers.ts'
import { matchesCode, type SourceMap } from '../../debug/sources/SourceMap.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { listCode } from '../../tvm/listCode.ts'
import { type CommandContext, hasConfiguredNetwork } from '../Command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { openNamedNode } from '../serve/openNode.ts'
import { openDecoder } from '../serve/openV3.ts'
import { formatDiff, formatGas, formatReport, formatSteps, formatVerdict } from './formatReport.ts'
import { readTarget, type TraceTarget } from './readTarget.ts'
import { listenDap, serveDap } from './serveDap.ts'
import { stepThrough } from './stepThrough.ts'
import { formatTraceTree } from './traceTree.ts'

const RUN_MS = 60_000

/** Replays a transaction and shows what was asked for. */
export const runTrace = async (context: CommandContext, [word = '']: readonly string[]): Promise<number> => {
  const { config, logger, shutdown, show, workingDir } = context
  const target = await readTarget(context, word)
  if (config.tree) {
    const { text, value } = await formatTraceTree(context, target)
    show({ text, value })
    return exitCodes.ok.code
  }
  const vm = await createVirtualMachine({ logger, workers: 1, timeLimitMs: RUN_MS })
  shutdown.add('virtual machine', () => vm.close())
  const again = await openReplay(context, vm, target)
  const replay = await again(undefined)
  if (config.save !== undefined) await writeFile(resolve(workingDir, config.save), formatReplayFile(replay))
  const changes = await readChanges(context, replay)
  const shown = changes === undefined ? replay : await again(changes)
  const view = await describe(context, vm, shown)
  if (config.gasProfile !== undefined) await writeProfile(resolve(workingDir, config.gasProfile), view.vm)
  if (config.debug) await stepThrough(getRun(view))
  else if (config.dap || config.dapPort !== undefined) await debugInEditor(context, vm, shown, view)
  else {
    const texts = [
      changes === undefined ? '' : ['On chain', ...formatVerdict(await describe(context, vm, replay)), ''].join('\n'),
    ]
    show({ text: [...texts, formatView(context, view)].filter((part) => part !== '').join('\n'), value: view })
  }
  return replay.verdict.replay === 'exact' ? exitCodes.ok.code : exitCodes.differs.code
}

type RunAgain = (changes: ReplayChanges | undefined) => Promise<Replay>

export const openReplay = async (
  context: CommandContext,
  vm: OwnedVirtualMachine,
  target: TraceTarget,
): Promise<RunAgain> => {
  if (target.kind === 'file') {
    const { inputs, source } = await loadFile(target.path)
    return (changes) => replayTransaction(vm, inputs, source, { changes })
  }
  const { node } = await openNamedNode(withNetwork(context))
  const chain = createLiveChain(node)
  return (changes) => fetchReplay(chain, vm, target, { changes, signal: AbortSignal.timeout(RUN_MS) })
}

/** Without a configured network, the embedded one in the data folder. */
const withNetwork = (context: CommandContext): CommandContext => {
  const { config, workingDir } = context
  if (hasConfiguredNetwork(config)) return context
  const path = join(resolve(workingDir, config.dataDir), 'global.config.json')
  if (existsSync(path)) return { ...context, config: { ...config, globalConfig: path } }
  throw new UsageError(
    'No network is configured, and the data folder has no embedded one.',
    'Name the network with --network, --global-config or --liteserver, or start one with "chaincenter dev".',
  )
}

const loadFile = async (path: string): Promise<LoadedReplay> => {
  const { size } = await stat(path)
  if (size > MAX_REPLAY_FILE_BYTES) {
    throw new ReplayFileError(`A replay file has at most ${MAX_REPLAY_FILE_BYTES} bytes, this one has ${size}.`)
  }
  return parseReplayFile(await readFile(path, 'utf8'))
}

/** Changes of the account, the configuration or the time; `undefined` where there are none. */
export const readChanges = async (
  { config, workingDir }: CommandContext,
  { inputs }: Replay,
): Promise<ReplayChanges | undefined> => {
  const { set, setConfig, now } = config
  if (set.length === 0 && setConfig.length === 0 && now === undefined) return undefined
  const readBag = async (path: string): Promise<Cell> => {
    const bytes = new Uint8Array(await readFile(resolve(workingDir, path)))
    const isText = bytes.every((byte) => byte < 0x80)
    return decodeSingleBoc(isText ? fromBase64(new TextDecoder().decode(bytes).trim()) : bytes)
  }
  const change: { balance?: bigint; code?: Cell; data?: Cell } = {}
  for (const text of set) {
    // An address before the member may be given: only one account runs.
    const [, member, value = ''] = /^(?:[^=]*\.)?(balance|code|data)=(.+)$/.exec(text) ?? []
    if (member === 'balance' && /^[0-9]{1,38}$/.test(value)) change.balance = BigInt(value)
    else if (member === 'code' || member === 'data') change[member] = await readBag(value)
    else
      throw new UsageError(
        `Expected a change such as balance=1000000000, code=FILE or data=FILE, but got ${JSON.stringify(text.slice(0, 60))}.`,
        'Amounts are in nano units; files are bags of cells, as bytes or base64.',
      )
  }
  const params = new Map<number, Cell>()
  for (const text of setConfig) {
    const [, number, path = ''] = /^(-?[0-9]{1,9})=(.+)$/.exec(text) ?? []
    if (number === undefined) {
      throw new UsageError(
        `Expected a parameter such as 20=FILE, but got ${JSON.stringify(text.slice(0, 60))}.`,
        'The file is a bag of cells.',
      )
    }
    params.set(Number(number), await readBag(path))
  }
  return {
    account: set.length === 0 ? undefined : (before) => changeAccount(before, inputs.address, change),
    config: params.size === 0 ? undefined : (before) => changeConfig(before, params),
    now,
  }
}

/** Records the run, with as many steps as are shown, and describes it. */
const describe = async (context: CommandContext, vm: OwnedVirtualMachine, replay: Replay): Promise<ReplayView> => {
  const { config, shutdown } = context
  const record = async (window: RecordOptions['window']) =>
    vm.recordTransaction(replay.call, { window, stack: 'diff', registers: false, cells: config.json, log: config.log })
  let { run, recording } = await record(findWindow(context))
  const failedAt = recording?.failure?.step
  const wanted = config.around === undefined || /^fail$/i.test(config.around) ? failedAt : Number(config.around)
  const isPlain = config.steps === undefined && !config.debug && config.method === undefined
  if (isPlain && wanted !== undefined) {
    const from = Math.max(0, wanted - WINDOW)
    ;({ run, recording } = await record({ from, count: 2 * WINDOW }))
  }
  const log = config.log && run.kind === 'executed' ? run.log : undefined
  const call = {
    transport: 'get',
    endpoint: undefined,
    query: {},
    body: undefined,
    headers: {},
    remoteAddress: '',
    requestId: '',
    receivedAt: 0,
    trace: newTrace(),
    signal: shutdown.signal,
  } as const
  const budget = new AnswerBudget(openDecoder(context), call)
  const map = recording && (await findSourceMap(context, recording.code_hash))
  const view = toReplayView({ replay, recording: withSource(recording, map), log, indexed: undefined }, vm, budget)
  // It is JSON text, of which the report shows parts.
  return { ...view, transaction: readTexts(view.transaction) as ReplayView['transaction'] }
}

/** Lets an editor step through the run. Standard output belongs to the protocol. */
const debugInEditor = async (
  context: CommandContext,
  vm: OwnedVirtualMachine,
  replay: Replay,
  view: ReplayView,
): Promise<void> => {
  const { config, workingDir, shutdown, logger } = context
  const { code_hash: codeHash } = getRun(view)
  const options = { stack: 'diff', registers: true, cells: true, log: false } as const
  const run: DebuggedRun = {
    name: toHex(replay.chain.hash()).slice(0, SHOWN_DIGITS),
    notes: formatVerdict(view).map((line) => line.trim()),
    listing: listCode(findCode(replay)),
    map: await findSourceMap(context, codeHash),
    toPath: (path) => resolve(workingDir, path),
    load: async (from, count) => {
      const { recording } = await vm.recordTransaction(replay.call, { ...options, window: { from, count } })
      if (recording === undefined) throw new TypeError('A contract that ran must run again.')
      return recording
    },
  }
  if (config.dapPort === undefined) {
    await serveDap(run, { input: process.stdin, write: (text) => void process.stdout.write(text) })
    process.stdin.destroy()
  } else {
    const onListening = (port: number) => logger.info('debug adapter listening', { port })
    await listenDap(run, config.dapPort, { signal: shutdown.signal, onListening })
  }
}

const SHOWN_DIGITS = 8

/** The code of the account; that of a message which deploys it is met step by step. */
const findCode = ({ call }: Replay): Cell => {
  const opened = openAccount(call.account.account)
  const code = opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.code : undefined
  return code ?? emptyCell
}

/** The source map of this code among those given; one of other code would show wrong lines. */
const findSourceMap = async (
  { config, workingDir, logger }: CommandContext,
  codeHash: string,
): Promise<SourceMap | undefined> => {
  for (const path of config.source) {
    const map = importSourceMap(JSON.parse(await readFile(resolve(workingDir, path), 'utf8')), codeHash)
    if (matchesCode(map, codeHash)) return map
    logger.warn('source mismatch', { file: path, codeOfMap: map.code_hash, codeOfRun: codeHash })
  }
  return undefined
}

const WINDOW = 64

const findWindow = ({ config }: CommandContext): RecordOptions['window'] => {
  const { steps, debug, method } = config
  if (steps === undefined) return debug || method !== undefined ? { from: 0, count: MAX_RECORDED_STEPS } : undefined
  const { from, to } = readRange(steps)
  return { from, count: Math.min(MAX_RECORDED_STEPS, to - from) }
}

const readRange = (text: string): { readonly from: number; readonly to: number } => {
  if (text === 'all') return { from: 0, to: MAX_RECORDED_STEPS }
  const [, from, to] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? []
  const range = { from: Number(from), to: to === undefined ? Number(from) + MAX_RECORDED_STEPS : Number(to) + 1 }
  if (from !== undefined && range.to > range.from) return range
  throw new UsageError(
    `Expected all or a range of steps such as 100-200, but got ${JSON.stringify(text)}.`,
    'Steps are numbered from 0.',
  )
}

const getRun = ({ vm, skipped }: ReplayView): VmView => {
  if (vm !== undefined) return vm
  throw new UsageError(
    `The contract did not run${skipped === undefined ? '' : `: ${skipped}`}.`,
    'There are no steps to go through.',
  )
}

const formatView = ({ config }: CommandContext, view: ReplayView): string => {
  const { steps, around, method, gas, diff, log, stack } = config
  const parts: string[] = []
  if (log) parts.push(view.log ?? 'The contract did not run: there is no log.')
  if (steps !== undefined || around !== undefined || method !== undefined) {
    const vm = getRun(view)
    const lines = formatSteps(vm, {
      top: stack,
      ...(method !== undefined && { cells: cellsOfMethod(vm, method) }),
    })
    const more = vm.truncated || vm.steps_from + vm.steps.length < vm.steps_total
    const rest = more ? [`(${vm.steps_total} steps in all)`] : []
    parts.push([...formatVerdict(view), '', ...lines, ...rest].join('\n'))
  }
  if (gas) parts.push(formatGas(getRun(view)))
  if (diff) parts.push(formatDiff(view))
  return parts.length === 0 ? formatReport(view) : parts.join('\n\n')
}

/** Cells in whose frames the method is the innermost one. */
const cellsOfMethod = ({ summary, steps }: VmView, method: string): ReadonlySet<string> => {
  const id = summary.methods.find((each) => String(each.id) === method || methodName(each.id) === method)?.id
  if (id === undefined) {
    const known = summary.methods.map((each) => methodName(each.id)).join(', ')
    throw new UsageError(`The run has no method ${JSON.stringify(method)}.`, `It has: ${known || 'none'}.`)
  }
  const cells = new Set<string>()
  for (const { frames } of summary.stacks) {
    if (!frames.some((frame) => 'method' in frame && frame.method === id)) continue
    for (const frame of frames) if ('cell' in frame) cells.add(frame.cell)
  }
  return cells.size === 0 ? new Set(steps.map(({ cell }) => cell)) : cells
}

const writeProfile = async (path: string, vm: VmView | undefined): Promise<void> => {
  const isFolded = path.endsWith('.folded')
  if (!isFolded && !path.endsWith('.cpuprofile')) {
    throw new UsageError('A gas profile ends with .cpuprofile or .folded.', 'Name the file so.')
  }
  const runs = vm === undefined ? [] : [vm.summary]
  await writeFile(path, isFolded ? formatFolded(runs) : JSON.stringify(toCpuProfile(runs)))
}
