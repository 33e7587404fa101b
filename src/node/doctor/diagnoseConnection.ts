import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { type Finding, findings } from './Finding.ts'
import { probeConnection } from './probeConnection.ts'

/** Why a server cannot be asked at all. */
export const diagnoseConnection = async (
  address: LiteServerAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Finding> => {
  const outcome = await probeConnection(address, timeoutMs, signal)
  switch (outcome) {
    case 'unknown_host':
      return findings.unknown_host()
    case 'refused':
      return findings.refused()
    case 'unreachable':
      return findings.unreachable()
    case 'closed':
      return findings.wrongKey('It closes the connection at the handshake: the key is not the one of this server.')
    case 'silent':
      return findings.wrongKey(
        'It takes the connection and does not answer the handshake: the key is wrong, or this is no liteserver.',
      )
    case 'bad_key':
      return findings.wrongKey('The key given for it is not a key at all.')
    case 'garbled':
      return findings.notALiteserver()
    case 'ready':
      return findings.noAnswer('It takes the connection and the key, but does not answer questions.')
  }
}
