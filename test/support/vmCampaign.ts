import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { VmFault } from '../../src/tvm/machine/faults.ts'
import type { Value } from '../../src/tvm/machine/values.ts'
import { LIBRARIES, methodContext, prefixDrop, stackText, toText, versionOf } from './vmContext.ts'
import { Coverage } from './vmCoverage.ts'
import { FocusedMaker } from './vmFocused.ts'
import { findKnownError } from './vmKnownErrors.ts'
import { MutantMaker, readRealContracts } from './vmMutants.ts'
import { ValueMaker } from './vmOperands.ts'
import type { VmOracle } from './vmOracles.ts'
import { ProgramMaker, Random } from './vmPrograms.ts'
import { compareReply, type VmReply, type VmRequest, VmRequests } from './vmRequests.ts'
import { sampleVmConfig } from './vmSamples.ts'
import { TransactionClasses } from './vmTransactionClasses.ts'
import { EMULATED_TRANSACTIONS } from './vmTransactionReducer.ts'
import { TransactionMaker } from './vmTransactions.ts'

export type CampaignKind = 'code' | 'transactions'

export type CampaignOptions = {
  readonly kind: CampaignKind
  readonly seed: number
  /** Which kinds of code: `random`, `grammar`, `focused`, `mutants`; `dictionaries` for transactions with malformed ones. */
  readonly mix?: readonly string[]
  /** One global version only. */
  readonly version?: number | undefined
  /** Is asked where the two disagree, by the rules that it knows: the emulator, which is made of the reference. */
  readonly judge?: VmOracle | undefined
}

export type Compared = {
  readonly request: VmRequest
  readonly expect: VmReply
  readonly differences: readonly string[]
  /** Where the other machine is known to be wrong. */
  readonly knownError: string | undefined
}

const BATCH = 100
const MAX_ATTEMPTS = 100
/** Runs of more steps are not given to the emulator: what it takes for a loop grows with the square. */
const MAX_STEPS = 1000
/** Generated runs on our machine and on another one. The same seed makes the same runs. */
export class Campaign {
  readonly coverage = new Coverage()
  readonly counts = { passed: 0, failed: 0, known: new Map<string, number>(), refused: 0, long: 0 }
  private readonly oracle: VmOracle
  private readonly options: CampaignOptions
  private readonly random: Random
  private readonly machine: VmRequests
  private readonly configs = new Map<string, string>()
  /** Differences that have to be made smaller before the judge can tell who is right. */
  private readonly transactions: TransactionClasses | undefined
  private readonly makers: (() => VmRequest)[]

  constructor(oracle: VmOracle, options: CampaignOptions) {
    this.oracle = oracle
    this.options = options
    this.random = new Random(options.seed)
    this.machine = new VmRequests(this.coverage)
    this.makers = this.makersOf(options)
    const { kind, judge } = options
    this.transactions =
      kind === 'transactions' && judge !== undefined ? new TransactionClasses(oracle, judge) : undefined
  }

  /** The request with its configuration, which others give by name. */
  whole(request: VmRequest): VmRequest {
    const { configKey, ...rest } = request
    const config = request.config ?? (configKey === undefined ? undefined : this.configs.get(configKey))
    return config === undefined ? rest : { ...rest, config }
  }

  async *run(runs: number): AsyncGenerator<Compared> {
    let waiting: { requests: VmRequest[]; replies: VmReply[]; answers: Promise<(VmReply | undefined)[]> } | undefined
    for (let made = 0; made < runs || waiting !== undefined; ) {
      const requests: VmRequest[] = []
      const replies: VmReply[] = []
      for (; requests.length < BATCH && made < runs; made++) {
        const request = this.make(this.makers[made % this.makers.length]!)
        const reply = this.ourReply(request)
        // Not even the other machine is asked to write out such a stack.
        const isLoop = this.oracle.name === 'emulator' && Number(reply['steps'] ?? 0) > MAX_STEPS
        if (isLoop || (request.kind !== 'transaction' && reply['stackText'] === undefined)) {
          this.counts.long++
          continue
        }
        requests.push(request)
        replies.push(reply)
      }
      const answers = requests.length === 0 ? undefined : this.oracle.answer(requests)
      if (waiting !== undefined) yield* await this.compare(waiting.requests, waiting.replies, await waiting.answers)
      waiting = answers === undefined ? undefined : { requests, replies, answers }
    }
  }

  /** What does not fit into cells is made anew. */
  private make(maker: () => VmRequest): VmRequest {
    for (let attempt = 1; ; attempt++) {
      try {
        return maker()
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || (!(error instanceof VmFault) && !(error instanceof CodedError))) throw error
      }
    }
  }

  private ourReply(request: VmRequest): VmReply {
    try {
      return this.machine.run(request)
    } catch (error) {
      return { exitCode: `threw ${error}`, stackText: [], accepted: `threw ${error}` }
    }
  }

  private async compare(
    requests: VmRequest[],
    replies: VmReply[],
    answers: (VmReply | undefined)[],
  ): Promise<Compared[]> {
    const compared: Compared[] = []
    for (const [k, request] of requests.entries()) {
      const expect = answers[k]
      if (request.configKey !== undefined && request.config !== undefined)
        this.configs.set(request.configKey, request.config)
      if (expect === undefined) {
        this.counts.refused++
        continue
      }
      const reply = replies[k]!
      this.coverage.add(reply)
      const differences = compareReply(reply, expect)
      const knownError = differences.length === 0 ? undefined : await this.findError(request, reply, expect)
      if (differences.length === 0) this.counts.passed++
      else if (knownError === undefined) this.counts.failed++
      else this.counts.known.set(knownError, (this.counts.known.get(knownError) ?? 0) + 1)
      compared.push({ request, expect, differences, knownError })
    }
    return compared
  }

  private async findError(request: VmRequest, reply: VmReply, expect: VmReply): Promise<string | undefined> {
    const known = findKnownError(
      this.oracle.name,
      this.whole(request),
      (changed) => compareReply(this.ourReply(changed), expect).length === 0,
    )
    const { judge } = this.options
    if (known !== undefined || judge === undefined || Number(reply['steps'] ?? 0) > MAX_STEPS) return known
    const agrees = `the ${judge.name} agrees with us`
    const whole = this.whole(request)
    // By older rules it would tell of another transaction.
    const isNewer = request.kind === 'transaction' && versionOf(whole.config!) > EMULATED_TRANSACTIONS
    if (!isNewer && (await this.isJudgedOurs(whole, judge))) return `${agrees} (${describeEnds(reply, expect)})`
    if (this.transactions === undefined) return undefined
    const judged = await this.transactions.add(whole)
    return judged?.verdict === 'ours' ? `a part of it differs in the same fields, and there ${agrees}` : judged?.reason
  }

  private async isJudgedOurs(request: VmRequest, judge: VmOracle): Promise<boolean> {
    const asked = this.forJudge(request, judge.newestVersion)
    const [theirs] = await judge.answer([asked])
    const ours = this.ourReply(asked)
    return theirs !== undefined && compareReply(ours, theirs).length === 0
  }

  /** The same run by rules that the judge knows. */
  private forJudge(request: VmRequest, newest: number): VmRequest {
    const { version, gas, config, configKey: _key, code, ...rest } = request
    if (request.kind === 'transaction') return { ...rest, config: config! }
    const rules = Math.min(newest, version ?? versionOf(config!))
    const text = toText(sampleVmConfig({ version: rules }))
    if (request.kind === 'method') return { ...rest, code: code!, gas: gas!, config: text }
    const limit = gas?.limit ?? 0
    const start = prefixDrop(decodeSingleBoc(Buffer.from(code!, 'base64')))
    const context = methodContext(rules, limit)
    return { ...rest, ...context, config: text, code: toText(start), data: toText(emptyCell), methodId: 0 }
  }

  private makersOf({ kind, mix = ['random', 'grammar', 'focused', 'mutants'] }: CampaignOptions): (() => VmRequest)[] {
    const { random } = this
    // The emulator was built before the rules of version 13 were complete: in transactions it is a step behind.
    const isEarly = kind === 'transactions' && this.oracle.name === 'emulator'
    const newest = this.options.version ?? (isEarly ? EMULATED_TRANSACTIONS : this.oracle.newestVersion)
    if (kind === 'transactions') {
      const transactions = new TransactionMaker(random, newest, mix.includes('dictionaries'))
      return [() => transactions.request()]
    }
    const grammar = new ProgramMaker(random)
    const focused = new FocusedMaker(random, newest)
    const values = new ValueMaker(random)
    const contracts = mix.includes('mutants') ? readRealContracts() : []
    const mutants = new MutantMaker(random, contracts)
    const makers: (() => VmRequest)[] = []
    if (mix.includes('random'))
      makers.push(() => this.request(this.randomCode(values), [], this.version(), random.next() < 0.2))
    if (mix.includes('grammar'))
      makers.push(() => this.request(grammar.program(), [], this.version(), random.next() < 0.3))
    const focus = (): VmRequest => {
      const { code, stack, version, readsContext } = focused.program()
      return this.request(code, stack, this.options.version ?? version, readsContext || random.next() < 0.1)
    }
    if (mix.includes('focused')) makers.push(focus, focus, focus, focus, focus)
    if (contracts.length > 0) {
      makers.push(() => {
        const { code, data, methodId, stack } = mutants.program()
        return {
          ...this.method(this.version(), 200_000),
          code: toText(code),
          data: toText(data),
          methodId,
          stack: stackText(stack),
        }
      })
    }
    return makers
  }

  private version(): number {
    const { oracle, random, options } = this
    return options.version ?? (random.next() < 0.3 ? oracle.newestVersion : random.below(oracle.newestVersion + 1))
  }

  /** Bits, with a few cells below. */
  private randomCode(values: ValueMaker): Cell {
    let code = values.bits(this.random.below(300))
    for (let refs = this.random.below(3); refs > 0; refs--) code = code.withRef(values.cell(1))
    return code.toCell()
  }

  private request(code: Cell, stack: readonly Value[], version: number, withContext: boolean): VmRequest {
    const { random } = this
    // Loops take the emulator very long.
    const most = this.oracle.name === 'emulator' ? 10_000 : 100_000
    const limit = random.next() < 0.08 ? 20 + random.below(1500) : most
    const values = stack.length === 0 ? {} : { stack: stackText(stack) }
    if (!withContext && this.oracle.name !== 'emulator') {
      const gas = {
        limit,
        max: random.next() < 0.9 ? limit : limit + random.below(5000),
        credit: random.next() < 0.95 ? 0 : random.below(1000),
      }
      return { kind: 'code', version, code: toText(code), gas, libs: [LIBRARIES], ...values }
    }
    // The number of the method comes on top: drop it.
    const start = prefixDrop(code)
    return { ...this.method(version, limit), code: toText(start), data: toText(DATA), methodId: 0, ...values }
  }

  private method(version: number, limit: number): Omit<VmRequest, 'code'> {
    return { ...methodContext(version, limit), ...this.config(version) }
  }

  private config(version: number): Pick<VmRequest, 'config' | 'configKey'> {
    const key = `v${version}`
    if (this.configs.has(key)) return { configKey: key }
    const config = toText(sampleVmConfig({ version }))
    this.configs.set(key, config)
    return { configKey: key, config }
  }
}

const DATA = new ValueMaker(new Random(5)).cell()

const describeEnds = (ours: VmReply, theirs: VmReply): string =>
  ours['exitCode'] === theirs['exitCode']
    ? `exit code ${ours['exitCode']}`
    : `exit code ${ours['exitCode']}, not ${theirs['exitCode']}`
