import type { Cell } from '../../codec/cell/Cell.ts'
import { getMethodId } from '../../codec/tlb/VmValue.ts'
import { contractInterfaces } from '../../contracts/interfaces/contractInterfaces.ts'
import { disassemble } from '../../tvm/disassemble.ts'
import type { Finding } from './describe.ts'

const SPECIAL: ReadonlyMap<number, string> = new Map([
  [0, 'recv_internal'],
  [-1, 'recv_external'],
  [-2, 'run_ticktock'],
  [-3, 'split_prepare'],
  [-4, 'split_install'],
])

const WELL_KNOWN = [
  'seqno',
  'get_public_key',
  'get_subwallet_id',
  'get_wallet_id',
  'is_signature_allowed',
  'get_extensions',
]

/** Names of methods by their number: those that interfaces of contracts have. */
const readNames = (): ReadonlyMap<number, string> => {
  const names = new Map(SPECIAL)
  const known = [...WELL_KNOWN, ...contractInterfaces.flatMap(({ methods = [] }) => methods)]
  for (const name of known) names.set(getMethodId(name), name)
  return names
}

/** The instructions of code: of each method, and of what comes before them. */
export const describeCode = (root: Cell): Finding => {
  const { lines, methods } = disassemble(root)
  const names = readNames()
  return {
    kind: 'code',
    instructions: lines,
    methods: methods.map(({ id, lines: body }) => ({
      method: names.get(id) ?? `method ${id}`,
      id,
      instructions: body,
    })),
  }
}
