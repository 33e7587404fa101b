import type { MethodRun } from '../../../chain/ports.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import type { VmStack } from '../../../codec/tlb/VmStack.ts'
import type { Address } from '../../../primitives/Address.ts'
import type { AccountReading } from '../readAccount.ts'
import type { V2NodeContext } from '../V2Context.ts'

/** How a run ends where there is no code to run. */
const NO_CODE = -13

/** Runs a get-method of an account that was read. Without code the arguments stay as they are, the method's number above them. */
export const runAccountMethod = async (
  { methods, node, call }: V2NodeContext,
  address: Address,
  { code, data = emptyCell, balance, genUtime }: Pick<AccountReading, 'code' | 'data' | 'balance' | 'genUtime'>,
  methodId: number,
  stack: VmStack,
): Promise<Pick<MethodRun, 'exitCode' | 'gasUsed' | 'stack'>> => {
  if (code === undefined) {
    return { exitCode: NO_CODE, gasUsed: 0, stack: [...stack, { kind: 'int', value: BigInt(methodId) }] }
  }
  const contract = { address, code, data, balance }
  return methods.run(node, { contract, now: genUtime, methodId, stack }, call.signal)
}
