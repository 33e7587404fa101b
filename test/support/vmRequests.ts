import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { accountNoneCell } from '../../src/codec/tlb/Account.ts'
import { readGlobalVersion } from '../../src/codec/tlb/BlockInfo.ts'
import { extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { configDictType, encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { readShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { decodeVmStack, readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import { type Address, parseAddress } from '../../src/primitives/Address.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { ExecutorConfig } from '../../src/tvm/executor/ExecutorConfig.ts'
import { type ExecuteResult, executeTransaction } from '../../src/tvm/executor/executeTransaction.ts'
import { startMethod } from '../../src/tvm/executor/runMethod.ts'
import { type CodeResult, runCode } from '../../src/tvm/machine/runCode.ts'
import { fromVmValue } from '../../src/tvm/machine/stackValues.ts'
import type { RunObserver } from '../../src/tvm/machine/Vm.ts'
import { Builder, Continuation, isTuple, Slice, type Value } from '../../src/tvm/machine/values.ts'

/** Requests to a virtual machine as lines of JSON: cells are bags in base64, integers of 64 bits are decimal text. */
export type VmRequest = {
  readonly id?: unknown
  readonly kind: 'code' | 'method' | 'transaction'
  readonly config?: string
  readonly configKey?: string
  readonly version?: number
  readonly libs?: readonly string[]
  readonly now?: number
  readonly address?: string
  readonly ignoreSignatures?: boolean
  readonly code?: string
  readonly data?: string
  readonly stack?: string
  readonly methodId?: number
  readonly gas?: { readonly limit: number; readonly max: number; readonly credit: number }
  readonly c7?: string
  readonly lt?: string | number
  readonly blockLt?: string | number
  readonly balance?: string
  readonly balanceExtra?: string
  readonly randSeed?: string
  readonly blockRandSeed?: string
  readonly prevBlocks?: string
  readonly account?: string
  readonly message?: string
  readonly tickTock?: 'tick' | 'tock'
  readonly expect?: { readonly [name: string]: unknown }
}

export type VmReply = { readonly [name: string]: unknown }

const DEFAULT_GAS = { limit: 1_000_000, max: 1_000_000, credit: 0 }
const DEFAULT_CAPABILITIES = 494n
const NEWEST = 15

/** Texts whose cells are at hand already: whoever makes requests need not have them decoded again. */
export const madeCells = new Map<string, Cell>()

const decode = (text: string): Cell => madeCells.get(text) ?? decodeSingleBoc(Buffer.from(text, 'base64'))
const decodeMaybe = (text: string | undefined): Cell | undefined => (text === undefined ? undefined : decode(text))

/** Values as text, bottom first: cells, slices and builders by the hash of their content. */
export const describeValue = (value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Cell) return `cell:${toHex(value.hash())}`
  if (value instanceof Slice) return `slice:${toHex(value.toCell().hash())}`
  if (value instanceof Builder) return `builder:${toHex(value.toCell().hash())}`
  if (isTuple(value)) return `[${value.map(describeValue).join(' ')}]`
  return value instanceof Continuation ? 'cont:' : '?'
}

/** Runs requests one after another; configurations and libraries are decoded once. */
export class VmRequests {
  private readonly observer: RunObserver | undefined
  private readonly configs = new Map<string, ExecutorConfig>()
  private readonly named = new Map<string, string>()
  private readonly libraries = new Map<string, Cell>()

  constructor(observer?: RunObserver) {
    this.observer = observer
  }

  run(request: VmRequest): VmReply {
    if (request.kind === 'transaction') return this.runTransaction(request)
    return request.kind === 'method' ? this.runMethod(request) : this.runCode(request)
  }

  private configOf(request: VmRequest): ExecutorConfig {
    if (request.configKey !== undefined && request.config !== undefined)
      this.named.set(request.configKey, request.config)
    const text = request.config ?? (request.configKey === undefined ? '' : (this.named.get(request.configKey) ?? ''))
    const key = `${request.version ?? ''} ${text}`
    let config = this.configs.get(key)
    if (config === undefined) {
      config = makeConfig(text === '' ? undefined : decode(text), request.version)
      if (this.configs.size > 64) this.configs.clear()
      this.configs.set(key, config)
    }
    return config
  }

  private librariesOf({ libs = [] }: VmRequest): Cell[] {
    return libs.map((text) => {
      let root = this.libraries.get(text)
      if (root === undefined) {
        root = decode(text)
        this.libraries.set(text, root)
      }
      return root
    })
  }

  /** Makes the transaction that a request is about. */
  execute(request: VmRequest): ExecuteResult {
    const { message, tickTock, now = 0, account: accountText, address, ignoreSignatures, gas } = request
    const account =
      accountText === undefined
        ? { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
        : readWhole(decode(accountText), readShardAccount, 'A ShardAccount')
    const wanted = BigInt(request.lt ?? 0)
    const lt = wanted === 0n ? (account.lastTransLt / 1_000_000n + 1n) * 1_000_000n : wanted
    const blockLt = BigInt(request.blockLt ?? 0)
    const cause =
      message === undefined
        ? ({ kind: tickTock ?? 'tick' } as const)
        : ({ kind: 'message', message: decode(message) } as const)
    return executeTransaction({
      account,
      cause,
      config: this.configOf(request),
      now,
      lt,
      blockLt: blockLt === 0n ? lt - (lt % 1_000_000n) : blockLt,
      randomSeed: seedOf(request.blockRandSeed),
      libraries: this.librariesOf(request),
      previousBlocks: previousBlocksOf(request),
      observer: this.observer,
      ...(request.randSeed === undefined ? {} : { accountSeed: seedOf(request.randSeed) }),
      ...(address === undefined ? {} : { address: addressOf(address) }),
      ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
      ...(gas === undefined
        ? {}
        : { gas: { limit: BigInt(gas.limit), max: BigInt(gas.max), credit: BigInt(gas.credit) } }),
    })
  }

  private runTransaction(request: VmRequest): VmReply {
    const result = this.execute(request)
    if (result.kind === 'notAccepted') return { accepted: false, exitCode: result.run?.exitCode, reason: result.reason }
    return {
      accepted: true,
      transactionHash: toHex(result.transaction.hash()),
      newAccountHash: toHex(result.account.account.hash()),
      endLt: result.endLt.toString(),
      resultCode: actionCodeOf(result.transaction),
      exitCode: result.run?.exitCode,
      gasUsed: result.run?.gasUsed,
    }
  }

  private runMethod(request: VmRequest): VmReply {
    const { c7, methodId = 0, gas = DEFAULT_GAS, now = 0, address, ignoreSignatures } = request
    if (c7 !== undefined) return this.runCode(request, [methodId])
    const run = startMethod({
      code: decodeMaybe(request.code),
      data: decodeMaybe(request.data),
      address: addressOf(address ?? `0:${'00'.repeat(32)}`),
      balance: {
        grams: BigInt(request.balance ?? 0),
        extra: new Dict(extraCurrenciesType, decodeMaybe(request.balanceExtra)),
      },
      methodId,
      stack: stackOf(request),
      config: this.configOf(request),
      now,
      blockLt: BigInt(request.blockLt ?? 0),
      lt: BigInt(request.lt ?? 0),
      randomSeed: seedOf(request.randSeed),
      previousBlocks: previousBlocksOf(request),
      libraries: this.librariesOf(request),
      gasLimit: gas.limit,
      observer: this.observer,
      ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
    })
    return describeRun(run.advance()!)
  }

  private runCode(request: VmRequest, more: readonly Value[] = []): VmReply {
    const { gas = DEFAULT_GAS, c7, ignoreSignatures } = request
    const context = c7 === undefined ? [] : fromVmValue(readVmStackValue(openCell(decode(c7))))
    const result = runCode({
      version: this.configOf(request).version,
      code: decodeMaybe(request.code),
      data: decodeMaybe(request.data),
      stack: [...stackOf(request), ...more],
      c7: isTuple(context) ? context : [],
      gas,
      libraries: this.librariesOf(request),
      observer: this.observer,
      ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
    })
    return describeRun(result)
  }
}

/** The result code of the action phase. */
const actionCodeOf = (transaction: Cell): number | undefined => {
  const { description } = readTransaction(openCell(transaction))
  return 'action' in description ? description.action?.resultCode : undefined
}

const describeRun = (result: CodeResult): VmReply => ({
  exitCode: result.exitCode,
  gasUsed: result.gasUsed,
  steps: result.steps,
  committed: result.committed !== undefined,
  gasCredit: result.gasCredit,
  stackText: describeStack(result.stack),
  c4Hash: result.committed && toHex(result.committed.data.hash()),
  c5Hash: result.committed && toHex(result.committed.actions.hash()),
})

/** More values than this are not written out: tuples may hold the same tuple over and over. */
const MAX_VALUES = 5000

const describeStack = (stack: readonly Value[]): string[] | undefined =>
  countValues(stack, 0) > MAX_VALUES ? undefined : stack.map(describeValue)

const countValues = (values: readonly Value[], before: number): number => {
  let count = before
  for (const value of values) {
    count++
    if (value !== null && isTuple(value)) count = countValues(value, count)
    if (count > MAX_VALUES) break
  }
  return count
}

const makeConfig = (root: Cell | undefined, version: number | undefined): ExecutorConfig => {
  const given = root === undefined ? undefined : new Dict(configDictType, root).find(8)
  const global = given && readGlobalVersion(openCell(given))
  if (root !== undefined && (version === undefined || version === global?.version)) return new ExecutorConfig(root)
  const capabilities = global?.capabilities ?? DEFAULT_CAPABILITIES
  const param = encodeConfigParam(8, { version: version ?? NEWEST, capabilities })
  return new ExecutorConfig(new Dict(configDictType, root).set(8, param).root as Cell)
}

const seedOf = (text: string | undefined): Uint8Array => (text === undefined ? new Uint8Array(32) : fromHex(text, 32))

const addressOf = (text: string): Address => parseAddress(text)

const stackOf = ({ stack }: VmRequest): Value[] =>
  stack === undefined ? [] : decodeVmStack(Buffer.from(stack, 'base64')).map(fromVmValue)

const previousBlocksOf = ({ prevBlocks }: VmRequest): Value =>
  prevBlocks === undefined ? null : fromVmValue(readVmStackValue(openCell(decode(prevBlocks))))

/** Where a reply is not what a request expects; empty where it is. Only what both name is compared. */
export const compareReply = (reply: VmReply, expected: { readonly [name: string]: unknown }): string[] => {
  const differences: string[] = []
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined || value === null || !(name in reply)) continue
    const ours = JSON.stringify(reply[name])
    if (ours !== JSON.stringify(value)) differences.push(`${name}: ${ours}, expected ${JSON.stringify(value)}`)
  }
  return differences
}

/** The lines of a file of requests, which may be compressed. */
export const readRequests = async function* (path: string): AsyncGenerator<VmRequest> {
  const file = createReadStream(path)
  const lines = createInterface({
    input: path.endsWith('.gz') ? file.pipe(createGunzip()) : file,
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as VmRequest
}
