import type { AdnlConnection } from '../../src/adnl/AdnlConnection.ts'
import { createServerKey } from '../../src/adnl/handshake.ts'
import { type AdnlServer, listenAdnl } from '../../src/adnl/listenAdnl.ts'
import { decodeTlObjectAs, encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import type { LiteServerAddress } from '../../src/primitives/LiteServerAddress.ts'

/** The bytes of an answer, or `undefined` for none at all. */
export type LiteHandler = (
  data: Uint8Array,
  connection: AdnlConnection,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>

export type TestLiteServer = LiteServerAddress & { readonly server: AdnlServer; close(): Promise<void> }

let servers = 0

/** A listening end that hands the function bytes of each question to `handle`. */
export const listenLite = async (handle: LiteHandler, port = 0, seed?: Uint8Array): Promise<TestLiteServer> => {
  const key = createServerKey(seed ?? new Uint8Array(32).fill(++servers))
  const answerQuery = async (connection: AdnlConnection, payload: Uint8Array): Promise<void> => {
    const { queryId, query } = decodeTlObjectAs('adnl.message.query', payload)
    const { data } = decodeTlObjectAs('liteServer.query', query)
    const answer = await handle(data, connection)
    if (answer !== undefined && connection.isOpen) {
      connection.send(encodeTlObject({ kind: 'adnl.message.answer', queryId, answer }))
    }
  }
  const server = await listenAdnl({
    keys: [key],
    port,
    onPayload: (connection, payload) => void answerQuery(connection, payload),
  })
  return { host: server.host, port: server.port, publicKey: key.publicKey, server, close: () => server.close() }
}
