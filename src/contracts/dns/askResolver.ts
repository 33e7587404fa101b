import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { bytesArgument, intArgument } from '../methods/arguments.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import { DnsError, ResolverFailedError } from './errors.ts'

/** What a resolver makes of a name: how many bytes of it it knows, and what those lead to. */
export type ResolverAnswer = {
  readonly asked: Uint8Array
  readonly resolvedBytes: number
  readonly found: Cell | undefined
}

/** Asks for the records of all categories at once. */
const ALL_CATEGORIES = intArgument(0n)

const self = new Uint8Array(1)

/** How a run ends where there is no code to run. */
const NO_CODE = -13

/**
 * Asks one resolver for a name; where there is no contract there is no answer. Some resolvers expect a zero byte in front,
 * which says that the name is relative to them, and some know names without it alone: either gets a second chance.
 */
export const askResolver = async (
  run: RunMethod,
  resolver: Address,
  name: Uint8Array,
): Promise<ResolverAnswer | undefined> => {
  const first = await ask(run, resolver, name)
  if (first.exitCode === NO_CODE) return undefined
  if (isAnswer(first) || name.length === 1) return toAnswer(first, resolver, name)
  const other = name[0] === 0 ? name.subarray(1) : concatBytes([self, name])
  const second = await ask(run, resolver, other)
  return succeeded(second) ? toAnswer(second, resolver, other) : toAnswer(first, resolver, name)
}

const ask = (run: RunMethod, resolver: Address, name: Uint8Array): Promise<MethodResult> =>
  run(resolver, 'dnsresolve', [bytesArgument(name), ALL_CATEGORIES])

const succeeded = ({ exitCode }: MethodResult): boolean => exitCode === 0 || exitCode === 1

const isAnswer = (result: MethodResult): boolean => succeeded(result) && result.stack[1]?.kind === 'cell'

const toAnswer = ({ exitCode, stack }: MethodResult, resolver: Address, asked: Uint8Array): ResolverAnswer => {
  const where = `The resolver ${formatRawAddress(resolver)}`
  if (exitCode !== 0 && exitCode !== 1) throw new ResolverFailedError(`${where} ended with exit code ${exitCode}.`)
  const [bits, found] = stack
  if (stack.length !== 2 || bits?.kind !== 'int' || (found?.kind !== 'cell' && found?.kind !== 'null')) {
    throw new DnsError(`${where} should leave a number and a cell or null, it left ${stack.length} entries.`)
  }
  const { value } = bits
  if (value < 0n || value % 8n !== 0n || value > BigInt(8 * asked.length)) {
    throw new DnsError(`${where} resolved ${value} bits of a name of ${asked.length} bytes.`)
  }
  return { asked, resolvedBytes: Number(value / 8n), found: found.kind === 'cell' ? found.cell : undefined }
}
