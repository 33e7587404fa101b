import { formatOpcode } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import type { CallData } from './callContract.ts'

/** An account became a contract. */
export const contractDeploy = blockKind<CallData>({
  name: 'contract_deploy',
  isClosed: true,
  describe: ({ data: { opcode, source, destination, value } }) => ({
    source,
    destination,
    details: {
      opcode: formatOpcode(opcode),
      source,
      destination,
      value: value?.toString(),
    },
  }),
})
