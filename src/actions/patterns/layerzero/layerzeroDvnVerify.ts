import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { layerzeroOps, readVerified } from '../bodies/layerzero.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'

export type LayerzeroDvnVerifyData = {
  readonly initiator: string | undefined
  readonly nonce: bigint
  readonly status: number
  readonly dvn: string | undefined
  readonly proxy: string | undefined
  readonly uln: string | undefined
  readonly ulnConnection: string | undefined
}

const statuses: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

/** One of the verifiers confirmed a packet from another chain. */
const layerzeroDvnVerify = blockKind<LayerzeroDvnVerifyData>({
  name: 'layerzero_dvn_verify',
  describe: ({ data: { initiator, nonce, status, dvn, proxy, uln, ulnConnection } }) => ({
    source: initiator,
    details: {
      initiator: initiator ?? null,
      nonce: Number(nonce),
      status: statuses.get(status) ?? `unknown_${status}`,
      dvn: dvn ?? null,
      proxy: proxy ?? null,
      uln: uln ?? null,
      uln_connection: ulnConnection ?? null,
    },
  }),
})

const verified = call(layerzeroOps.connectionVerify, {
  all: [
    call(layerzeroOps.event, { optional: true }),
    call(layerzeroOps.verified, { next: kindOf(tonTransfer, { optional: true }) }),
  ],
})

export const matchLayerzeroDvnVerify: Matcher = {
  name: 'layerzero dvn verify',
  isAnchor: (block) => isCall(block, layerzeroOps.dvnVerify),
  around: { next: call(layerzeroOps.proxyCall, { next: call(layerzeroOps.ulnVerify, { next: verified }) }) },
  build: (match) => {
    const targetOf = (opcode: number) => messageOf(getCall(match.others, opcode)).destination
    const { source: initiator, destination: dvn } = messageOf(match.anchor)
    const data = {
      initiator,
      ...readVerified(getCall(match.others, layerzeroOps.verified)),
      dvn,
      proxy: targetOf(layerzeroOps.proxyCall),
      uln: targetOf(layerzeroOps.ulnVerify),
      ulnConnection: targetOf(layerzeroOps.connectionVerify),
    }
    foldMatch(match, layerzeroDvnVerify, data)
  },
}
