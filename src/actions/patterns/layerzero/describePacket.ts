import type { Shown } from '../../rows/ActionFacts.ts'
import type { Packet } from '../bodies/layerzero.ts'

/** A wide number as the bridge shows it: without leading zeros. */
export const formatWide = (value: bigint): string => `0x${value.toString(16)}`

/** The packet, as all actions of the bridge show it. */
export const describePacket = ({ srcOapp, dstOapp, srcEid, dstEid, nonce, guid, message }: Packet): Shown => ({
  src_oapp: formatWide(srcOapp),
  dst_oapp: formatWide(dstOapp),
  src_eid: srcEid,
  dst_eid: dstEid,
  nonce: Number(nonce),
  guid: formatWide(guid),
  message: `0x${message}`,
})
