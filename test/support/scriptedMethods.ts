import { type Cell, wholeSlice } from '../../src/codec/cell/Cell.ts'
import type { VmStack } from '../../src/codec/tlb/VmStack.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import type { MethodResult, RunMethod } from '../../src/contracts/getMethods.ts'
import { type Address, formatRawAddress } from '../../src/primitives/Address.ts'

type Script = VmStack | MethodResult | ((stack: VmStack) => VmStack | MethodResult)

/** What each contract leaves on the stack, by method. Methods that are not here are not in the contract either. */
export type Scripts = readonly (readonly [Address, Readonly<Record<string, Script>>])[]

/** Results that no contract at hand gives: what a hostile one may answer. Notes who was asked for what. */
export const scriptedMethods = (scripts: Scripts): { readonly run: RunMethod; readonly calls: string[] } => {
  const byAddress = new Map(scripts.map(([address, methods]) => [formatRawAddress(address), methods]))
  const calls: string[] = []
  const run: RunMethod = (address, method, stack) => {
    calls.push(method)
    const methods = byAddress.get(formatRawAddress(address))
    if (methods === undefined) return Promise.resolve({ exitCode: -13, stack })
    const script = methods[method]
    const result = typeof script === 'function' ? script(stack) : (script ?? { exitCode: 11, stack: [] })
    return Promise.resolve('exitCode' in result ? result : { exitCode: 0, stack: result })
  }
  return { run, calls }
}

export const int = (value: number | bigint): VmValue => ({ kind: 'int', value: BigInt(value) })
export const cell = (value: Cell): VmValue => ({ kind: 'cell', cell: value })
export const slice = (value: Cell): VmValue => ({ kind: 'slice', slice: wholeSlice(value) })
export const nothing: VmValue = { kind: 'null' }
