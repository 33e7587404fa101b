import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase64 } from '../../primitives/base64.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { TlError, type TlFault } from './TlError.ts'
import { decodeTlObject, decodeTlObjectAs, encodeTlObject, tlIds } from './tlObject.ts'
import type { TlObject } from './tlTypes.ts'

const rootHash = fromHex('213bae3feb01cc752f2f8537708498c67a74042b37ea49d2d2a861c66c27809b')
const fileHash = fromHex('2eaa5f723a041e028a81f4fadba4c70c94ffab13f315b9dd48843f15152bb13c')
const block395 = { workchain: -1, shard: 0x8000_0000_0000_0000n, seqno: 395, rootHash, fileHash }
const block395Hex = `ffffffff00000000000000808b010000${toHex(rootHash)}${toHex(fileHash)}`
const queryId = fromHex('77c1545b96fa136b8e01cc08338bec47e8a43215492dda6d4d7e286382bb00c4')

// Recorded from real nodes, or put together by hand from the rules and the vectors of the protocol reference.
const vectors: { readonly hex: string; readonly object: TlObject }[] = [
  { hex: '2ee6b589', object: { kind: 'liteServer.getMasterchainInfo' } },
  { hex: 'df068c79042ee6b589000000', object: { kind: 'liteServer.query', data: fromHex('2ee6b589') } },
  {
    hex: `7af98bb4${toHex(queryId)}0cdf068c79042ee6b589000000000000`,
    object: { kind: 'adnl.message.query', queryId, query: fromHex('df068c79042ee6b589000000') },
  },
  { hex: '9a2b084dd6920c30b30a572d', object: { kind: 'tcp.ping', randomId: 0x2d570ab3300c92d6n } },
  { hex: '03fb69dcd6920c30b30a572d', object: { kind: 'tcp.pong', randomId: 0x2d570ab3300c92d6n } },
  { hex: '0d0053e99723f96a', object: { kind: 'liteServer.currentTime', now: 1794712471 } },
  { hex: `0dcf7763${block395Hex}`, object: { kind: 'liteServer.getBlock', id: block395 } },
  {
    hex: '48e1a9bb8b020000096e6f7420696e2064620000',
    object: { kind: 'liteServer.error', code: 651, message: 'not in db' },
  },
  {
    // Neither field: the mode word is all there is.
    hex: '369cc17b00000000',
    object: { kind: 'liteServer.getOutMsgQueueSizes', mode: 0 },
  },
  {
    hex: '369cc17b01000000000000000000000000000080',
    object: { kind: 'liteServer.getOutMsgQueueSizes', mode: 1, wc: 0, shard: 0x8000_0000_0000_0000n },
  },
  {
    // 27h: three id fields, and want_proof, which is nothing but bit 5.
    hex: `dac7fcad${block395Hex}2700000003000000`,
    object: { kind: 'liteServer.listBlockTransactions', id: block395, mode: 0x27, count: 3, wantProof: true },
  },
  {
    hex: `191c112a00000000${block395Hex}0200000022000000e0ffffff`,
    object: { kind: 'liteServer.getConfigParams', mode: 0, id: block395, paramList: [34, -32] },
  },
  {
    // A boxed link in a bare vector, and a boxed signature set in that.
    hex: [
      `c1d2d08eb5757299${block395Hex}${block395Hex}01000000`,
      `1cce0f52379779bc${block395Hex}${block395Hex}01aa000000000000`,
      `e6a644f6feffffff0700000001000000${toHex(rootHash)}02bbcc00`,
    ].join(''),
    object: {
      kind: 'liteServer.partialBlockProof',
      complete: true,
      from: block395,
      to: block395,
      steps: [
        {
          kind: 'liteServer.blockLinkForward',
          toKeyBlock: false,
          from: block395,
          to: block395,
          destProof: Uint8Array.of(0xaa),
          configProof: new Uint8Array(0),
          signatures: {
            kind: 'liteServer.signatureSet.ordinary',
            validatorSetHash: -2,
            catchainSeqno: 7,
            signatures: [{ nodeIdShort: rootHash, signature: Uint8Array.of(0xbb, 0xcc) }],
          },
        },
      ],
    },
  },
]

for (const { hex, object } of vectors) {
  test(`${object.kind} decodes and encodes`, () => {
    assert.deepEqual(decodeTlObject(fromHex(hex)), object)
    assert.equal(toHex(encodeTlObject(object)), hex)
  })
}

test('the message that a simplex validator signs', () => {
  const sessionId = fromHex('a4cdfa568c89c97462f438d76b57e0dc6bd11ed9fad6c7aadc5c95329d7f36fe')
  const hash = fromHex('e47c0a66a0f5c8208a9429be7cb9862c80ffb43efd5e468e2bba484cbee5fac0')
  const vote = encodeTlObject({ kind: 'consensus.simplex.finalizeVote', id: { slot: 116, hash } })
  const signed = encodeTlObject({ kind: 'consensus.dataToSign', sessionId, data: vote })
  assert.equal(toHex(signed), `f83de3a8${toHex(sessionId)}2c05e1a7403fcd91b674000000${toHex(hash)}000000`)
})

test('the key of a state in celldb', () => {
  const block = {
    workchain: 0,
    shard: 0x4000_0000_0000_0000n,
    seqno: 587,
    rootHash: fromHex('c2a3c4bf11f99de6d00faf4a254a3b6c8724843f2bd799aa6dbd47177dbe8b03'),
    fileHash: fromHex('50a89915e1fbd40912711c39ecd72aac1f61ec72ec1712f147dd8bc487d5bc20'),
  }
  const key = toBase64(sha256(encodeTlObject({ kind: 'tonNode.blockIdExt', ...block })))
  assert.equal(key, 'pqzmLpSa2/6D2HEoVdM4Bi2XN54HysRsMRUK8D3CdVg=')
})

type Expected = { readonly fault: TlFault; readonly offset?: number; readonly message?: RegExp }

const throwsTl = (run: () => unknown, { fault, offset, message }: Expected): void => {
  assert.throws(run, (error) => {
    assert.ok(error instanceof TlError, String(error))
    assert.equal(error.fault, fault)
    if (offset !== undefined) assert.equal(error.offset, offset)
    if (message !== undefined) assert.match(error.message, message)
    return true
  })
}

test('what is no object of the table throws', () => {
  throwsTl(() => decodeTlObject(new Uint8Array(0)), { fault: 'not_enough_bytes', offset: 0 })
  throwsTl(() => decodeTlObject(fromHex('deadbeef')), { fault: 'unknown_constructor', offset: 0 })
  throwsTl(() => decodeTlObject(fromHex('2ee6b58900')), { fault: 'trailing_bytes', offset: 4 })
  // The boxed vector id has no place here, and neither has a bare constructor where a boxed one belongs.
  throwsTl(() => decodeTlObject(fromHex('15c4b51c00000000')), { fault: 'unknown_constructor', offset: 0 })
  throwsTl(
    () => decodeTlObject(fromHex(`c1d2d08eb5757299${block395Hex}${block395Hex}01000000${block395Hex.repeat(3)}`)),
    {
      fault: 'unknown_constructor',
      offset: 172,
    },
  )
  throwsTl(() => encodeTlObject({ kind: 'liteServer.nothing' } as unknown as TlObject), { fault: 'bad_value' })
  throwsTl(() => decodeTlObject(new Uint8Array(100), 99), { fault: 'too_large' })
})

test('a lying count is refused before anything is allocated', () => {
  const list = `191c112a00000000${block395Hex}`
  throwsTl(() => decodeTlObject(fromHex(`${list}ffffffff22000000`)), { fault: 'bad_value', offset: 88 })
  throwsTl(() => decodeTlObject(fromHex(`${list}0300000022000000e0ffffff`)), { fault: 'bad_value', offset: 88 })
  throwsTl(() => decodeTlObject(fromHex(`${list}0100000022000000e0ffffff`)), { fault: 'trailing_bytes', offset: 96 })
})

test('decodeTlObjectAs takes one kind', () => {
  const bytes = encodeTlObject({ kind: 'liteServer.currentTime', now: 2 })
  assert.equal(decodeTlObjectAs('liteServer.currentTime', bytes).now, 2)
  throwsTl(() => decodeTlObjectAs('liteServer.sendMsgStatus', bytes), { fault: 'bad_value', offset: 0 })
})

test('a large payload is not copied on decoding', () => {
  const data = new Uint8Array(500_000).fill(7)
  const bytes = encodeTlObject({ kind: 'liteServer.blockData', id: block395, data })
  assert.equal(bytes.length, 4 + 80 + 4 + 500_000)
  const decoded = decodeTlObjectAs('liteServer.blockData', bytes)
  assert.equal(decoded.data.buffer, bytes.buffer)
  assert.equal(decoded.data.byteOffset, bytes.byteOffset + 88)
  assert.equal(decoded.data.length, 500_000)
})

test('the flags word gets the bits of the fields that are there', () => {
  const id = { workchain: 0, shard: 0x8000_0000_0000_0000n, seqno: 0 }
  const bare = '00000000000000000000008000000000'
  const encode = (object: TlObject): string => toHex(encodeTlObject(object))
  assert.equal(
    encode({ kind: 'liteServer.lookupBlock', mode: 0x10, id, lt: 5n }),
    `1ef7c8fa12000000${bare}0500000000000000`,
  )
  assert.equal(encode({ kind: 'liteServer.lookupBlock', mode: 0, id, utime: 0 }), `1ef7c8fa04000000${bare}00000000`)
  assert.equal(encode({ kind: 'liteServer.lookupBlock', mode: 1, id, lt: undefined }), `1ef7c8fa01000000${bare}`)
  const list = { kind: 'liteServer.listBlockTransactions', id: block395, count: 3 } as const
  assert.equal(encode({ ...list, mode: 7, wantProof: true }), `dac7fcad${block395Hex}2700000003000000`)
  assert.equal(encode({ ...list, mode: 0x27 }), `dac7fcad${block395Hex}2700000003000000`)
  assert.equal(encode({ ...list, mode: 7, wantProof: false }), `dac7fcad${block395Hex}0700000003000000`)
  assert.equal(encode({ ...list, mode: 0x8000_0000, reverseOrder: true }), `dac7fcad${block395Hex}4000008003000000`)
})

test('a flags word that contradicts its fields throws', () => {
  const id = { workchain: 0, shard: 0x8000_0000_0000_0000n, seqno: 0 }
  const list = { kind: 'liteServer.listBlockTransactions', id: block395, count: 3 } as const
  const refused: [TlObject, RegExp][] = [
    [{ kind: 'liteServer.lookupBlock', mode: 2, id }, /Expected liteServer\.lookupBlock lt, as its bit is set/],
    [{ kind: 'liteServer.getOutMsgQueueSizes', mode: 0, wc: 0 }, /Expected liteServer\.getOutMsgQueueSizes shard/],
    [{ ...list, mode: 0x27, wantProof: false }, /bit of liteServer\.listBlockTransactions want_proof clear/],
    [{ ...list, mode: 0x80 }, /Expected liteServer\.listBlockTransactions after/],
    [{ ...list, mode: -1 }, /for the flags word, got -1/],
    [{ ...list, mode: 2 ** 32 }, /for the flags word, got 4294967296/],
  ]
  for (const [object, message] of refused) {
    throwsTl(() => encodeTlObject(object), { fault: 'bad_value', message })
  }
})

test('ids are those of the wire', () => {
  assert.equal(tlIds['liteServer.getBlock'], 0x6377cf0d)
  assert.equal(Object.keys(tlIds).length, 96)
})
