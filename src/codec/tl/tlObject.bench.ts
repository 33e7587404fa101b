import { formatTable } from '../../../test/support/formatTable.ts'
import { measure } from '../../../test/support/measure.ts'
import { encodeLiteQuery } from './liteQuery.ts'
import { decodeTlObject, encodeTlObject, tlFunctions } from './tlObject.ts'

const hash = new Uint8Array(32).fill(7)
const id = { workchain: -1, shard: 0x8000_0000_0000_0000n, seqno: 395, rootHash: hash, fileHash: hash }
const account = { workchain: 0, id: hash }

export const run = (): Record<string, number> => {
  const getBlock = tlFunctions['liteServer.getBlock']
  const listTransactions = tlFunctions['liteServer.listBlockTransactions']
  const block = { id, data: new Uint8Array(500_000).fill(3) }
  const ids = Array.from({ length: 256 }, (_, i) => ({ mode: 7, account: hash, lt: BigInt(i), hash }))
  const list = { id, reqCount: 256, incomplete: false, ids, proof: hash }
  const request = getBlock.encode({ id })
  const answer = getBlock.encodeResult(block)
  const page = listTransactions.encodeResult(list)

  const timings = measure({
    encodeQuery: () =>
      encodeTlObject({
        kind: 'liteServer.query',
        data: encodeLiteQuery({ call: { kind: 'liteServer.getAccountState', id, account } }),
      }),
    decodeQuery: () => decodeTlObject(request),
    encodeBlock500KB: () => getBlock.encodeResult(block),
    decodeBlock500KB: () => getBlock.decodeResult(answer),
    encode256Ids: () => listTransactions.encodeResult(list),
    decode256Ids: () => listTransactions.decodeResult(page),
  })
  const figures = Object.entries(timings).map(([what, { cpuMs }]) => [what, cpuMs * 1000] as const)
  console.log(formatTable(figures.map(([what, us]) => ({ what, 'us cpu': us }))))
  return Object.fromEntries(figures)
}
