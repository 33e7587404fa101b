// The other end of the node bench, in a process of its own so that its work is not counted: answers with bytes made once.
import { readFileSync } from 'node:fs'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { decodeLiteQuery } from './decodeLiteQuery.ts'
import { listenLite } from './listenLite.ts'

const LARGE = 500_000
const hash = new Uint8Array(32).fill(7)
const id = { workchain: -1, shard: wholeShard, seqno: 395, rootHash: hash, fileHash: hash }
const small = encodeTlObject({ kind: 'liteServer.currentTime', now: 1_700_000_000 }).slice()
const large = encodeTlObject({ kind: 'liteServer.blockData', id, data: new Uint8Array(LARGE).fill(5) }).slice()
const [recorded] = process.argv.slice(2)
const account =
  recorded === undefined
    ? small
    : Uint8Array.from(
        Buffer.from((JSON.parse(readFileSync(recorded, 'utf8')) as { response_tl_hex: string }).response_tl_hex, 'hex'),
      )

const { port, publicKey } = await listenLite((data) => {
  const { kind } = decodeLiteQuery(data).call
  if (kind === 'liteServer.getBlock') return large
  return kind === 'liteServer.getAccountState' ? account : small
})
process.send?.({ port, publicKey: Buffer.from(publicKey).toString('hex') })
process.on('disconnect', () => process.exit(0))
