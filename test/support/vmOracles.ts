import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { readShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { decodeVmStack } from '../../src/codec/tlb/VmStack.ts'
import { DEFAULT_VM_STACK_LIMITS } from '../../src/codec/tlb/VmValue.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { Emulator } from '../../src/tvm/emulator/Emulator.ts'
import { openEmulatorFiles } from '../../src/tvm/emulator/emulatorFiles.ts'
import { fitConfig } from '../../src/tvm/emulator/fitConfig.ts'
import { fromVmValue } from '../../src/tvm/machine/stackValues.ts'
import { describeValue, type VmReply, type VmRequest } from './vmRequests.ts'

/** Another implementation to compare with. */
export interface VmOracle {
  readonly name: string
  readonly newestVersion: number
  /** Answers in the order of the requests; `undefined` for what it cannot run. */
  answer(requests: readonly VmRequest[]): Promise<(VmReply | undefined)[]>
  close(): void
}

/** Hashes of small cells: most runs leave the same ones. */
const smallHashes = new Map<string, string>()

const hashOf = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const known = smallHashes.get(text)
  if (known !== undefined) return known
  const hash = toHex(decodeSingleBoc(Buffer.from(text, 'base64'), { allowPrunedRoots: true }).hash())
  if (text.length < 50 && smallHashes.size < 1000) smallHashes.set(text, hash)
  return hash
}

type GoAnswer = {
  readonly error?: string
  readonly exitCode?: number
  readonly gasUsed?: number
  readonly steps?: number
  readonly committed?: boolean
  readonly stackText?: readonly string[]
  readonly c4?: string
  readonly c5?: string
  readonly transaction?: string
  readonly transactionHash?: string
  readonly newAccountHash?: string
}

/** Continuations are told apart by nothing, so that only their place counts. */
const plain = (text: string): string => text.replace(/cont:[^\s\]]*/g, 'cont:')

/** Kilobytes of address space: some programs fill the memory of the machine. */
const MAX_MEMORY_KB = 6_000_000
const DIED = '{"error":"the program ended"}'

/** A program that takes requests and gives answers as lines of JSON. Where a request ends it, it is started again. */
export class ProgramOracle implements VmOracle {
  readonly name: string
  readonly newestVersion = 15
  private program: ChildProcessWithoutNullStreams | undefined = undefined
  private waiting: ((line: string) => void)[] = []

  constructor(path: string) {
    this.name = path
  }

  async answer(requests: readonly VmRequest[]): Promise<(VmReply | undefined)[]> {
    this.program ??= this.start()
    const lines = requests.map(() => new Promise<string>((resolve) => this.waiting.push(resolve)))
    this.program.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
    return (await Promise.all(lines)).map((line, k) => toReply(JSON.parse(line) as GoAnswer, requests[k]!))
  }

  private start(): ChildProcessWithoutNullStreams {
    const program = spawn('/bin/sh', ['-c', `ulimit -v ${MAX_MEMORY_KB}; exec "$0"`, this.name])
    program.stdin.on('error', () => {})
    program.stderr.resume()
    const lines = createInterface({ input: program.stdout })
    lines.on('line', (line) => this.waiting.shift()?.(line))
    lines.on('close', () => {
      this.program = undefined
      for (const resolve of this.waiting.splice(0)) resolve(DIED)
    })
    return program
  }

  close(): void {
    this.program?.kill()
  }
}

const toReply = (answer: GoAnswer, { kind }: VmRequest): VmReply | undefined => {
  if (answer.error !== undefined) return undefined
  if (kind === 'transaction') {
    // It calls a transaction whose compute phase was skipped not accepted.
    const { transaction, transactionHash, newAccountHash } = answer
    if (transactionHash === undefined) return { accepted: false }
    return { accepted: true, transaction, transactionHash, newAccountHash }
  }
  const { exitCode, gasUsed, steps, committed, stackText = [] } = answer
  // Of some slices it cannot tell the hash.
  if (stackText.some((text) => text.includes('slice:?'))) return undefined
  const reply = { exitCode, gasUsed, steps, stackText: stackText.map(plain) }
  if (kind === 'method') return reply
  return { ...reply, committed, ...(committed === true && { c4Hash: hashOf(answer.c4), c5Hash: hashOf(answer.c5) }) }
}

type EmulatorResult = {
  readonly fail?: true
  readonly output: {
    readonly success: boolean
    readonly error?: string
    readonly stack?: string
    readonly gas_used?: string
    readonly vm_exit_code?: number
    readonly transaction?: string
    readonly shard_account?: string
  }
}

/** The emulator of `@ton/sandbox` on this thread. It knows get-methods and transactions. */
export class EmulatorOracle implements VmOracle {
  readonly name = 'emulator'
  readonly newestVersion = 13
  private emulator: Emulator
  private readonly configs = new Map<string, string>()
  private readonly handles = new Map<string, number>()

  private constructor(emulator: Emulator) {
    this.emulator = emulator
  }

  static async open(): Promise<EmulatorOracle> {
    return new EmulatorOracle(await Emulator.open(await openEmulatorFiles()))
  }

  async answer(requests: readonly VmRequest[]): Promise<(VmReply | undefined)[]> {
    const replies: (VmReply | undefined)[] = []
    for (const request of requests) {
      try {
        replies.push(request.kind === 'transaction' ? this.runTransaction(request) : this.runMethod(request))
      } catch {
        // It must not be used on after an exception of its own.
        replies.push(undefined)
        this.emulator = await Emulator.open(await openEmulatorFiles())
        this.handles.clear()
      }
    }
    return replies
  }

  close(): void {}

  private configOf({ config, configKey }: VmRequest): string {
    const name = configKey ?? config ?? ''
    const known = this.configs.get(name)
    if (known !== undefined || config === undefined) return known!
    const fitted = fitConfig(decodeSingleBoc(Buffer.from(config, 'base64')))
    const text = Buffer.from(encodeBoc([fitted])).toString('base64')
    if (this.configs.size > 200) this.configs.clear()
    this.configs.set(name, text)
    return text
  }

  private runMethod(request: VmRequest): VmReply | undefined {
    const params = JSON.stringify({
      code: request.code,
      data: request.data,
      verbosity: 0,
      libs: request.libs?.[0] ?? '',
      prev_blocks_info: request.prevBlocks ?? '',
      address: request.address,
      unixtime: request.now,
      balance: request.balance ?? '0',
      extra_currencies: {},
      rand_seed: request.randSeed ?? '00'.repeat(32),
      gas_limit: String(request.gas?.limit),
      method_id: request.methodId,
      debug_enabled: false,
    })
    const { fail, output } = this.emulator.runMethod(
      params,
      request.stack ?? EMPTY_STACK,
      this.configOf(request),
    ) as EmulatorResult
    if (fail === true || !output.success) return undefined
    const stack = decodeVmStack(Buffer.from(output.stack!, 'base64'), {
      ...DEFAULT_VM_STACK_LIMITS,
      maxDepth: 10_000,
    })
    return {
      exitCode: output.vm_exit_code,
      gasUsed: Number(output.gas_used),
      stackText: stack.map((value) => describeValue(fromVmValue(value))),
    }
  }

  private runTransaction(request: VmRequest): VmReply | undefined {
    const config = this.configOf(request)
    let handle = this.handles.get(config)
    if (handle === undefined) {
      handle = this.emulator.createHandle(config, 0)
      if (handle === 0) throw new Error('The emulator refuses the configuration.')
      this.handles.set(config, handle)
    }
    const params = JSON.stringify({
      utime: request.now,
      lt: String(request.lt),
      rand_seed: request.blockRandSeed,
      ignore_chksig: false,
      debug_enabled: false,
      is_tick_tock: request.message === undefined,
      is_tock: request.tickTock === 'tock',
      prev_blocks_info: request.prevBlocks ?? '',
    })
    const result = this.emulator.runTransaction(
      handle,
      undefined,
      request.account!,
      request.message ?? '',
      params,
    ) as EmulatorResult
    if (result.fail === true) {
      this.handles.delete(config)
      return undefined
    }
    const { success, error = '', transaction, shard_account: account, vm_exit_code: exitCode } = result.output
    if (!success) return exitCode !== undefined || error.includes('-701') ? { accepted: false } : undefined
    const after = readWhole(decodeSingleBoc(Buffer.from(account!, 'base64')), readShardAccount, 'A ShardAccount')
    return {
      accepted: true,
      transaction,
      transactionHash: hashOf(transaction),
      newAccountHash: toHex(after.account.hash()),
    }
  }
}

const EMPTY_STACK = 'te6ccgEBAQEABQAABgAAAA=='
