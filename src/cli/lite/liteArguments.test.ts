import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeLiteQuery } from '../../../test/support/decodeLiteQuery.ts'
import type { LiteCall } from '../../codec/tl/liteQuery.ts'
import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { fromHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { UsageError } from '../errors.ts'
import { getLiteFunction, parseArguments } from './liteArguments.ts'

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const id: BlockIdExt = { workchain: -1, shard: wholeShard, seqno: 395, rootHash: hash(0xab), fileHash: hash(0xcd) }
const idText = formatBlockIdExt(id)
const last: BlockIdExt = { ...id, seqno: 421 }
const account = { workchain: 0, id: hash(0x13) }
const rawAddress = `0:${'13'.repeat(32)}`
const friendly = 'EQATExMTExMTExMTExMTExMTExMTExMTExMTExMTExMTE-Nt'

const noFiles = (path: string): never => assert.fail(`${path} was read`)

const parse = (name: string, words: readonly string[], readBytes: (path: string) => Uint8Array = noFiles): LiteCall => {
  const { needsLast, encode } = parseArguments(getLiteFunction(name), words, readBytes)
  return decodeLiteQuery(encode(needsLast ? last : undefined)).call
}

const cases: readonly { readonly call: LiteCall; readonly spellings: readonly (readonly string[])[] }[] = [
  { call: { kind: 'liteServer.getTime' }, spellings: [[], ['{}']] },
  {
    call: { kind: 'liteServer.getBlockHeader', id, mode: 0 },
    spellings: [[`id=${idText}`], [`id=${idText.toLowerCase()}`, 'mode=0'], [JSON.stringify({ id: idText, mode: 0 })]],
  },
  {
    call: { kind: 'liteServer.getBlockHeader', id, mode: 0x1001 },
    spellings: [
      ['mode=4097', `id=${idText}`],
      [`id=${idText}`, 'mode=0x1001'],
      [
        `id={"workchain":-1,"shard":"8000000000000000","seqno":395,"root_hash":"${'ab'.repeat(32)}","file_hash":"${'cd'.repeat(32)}"}`,
        'mode=4097',
      ],
      [
        JSON.stringify({
          id: {
            workchain: -1,
            shard: '-9223372036854775808',
            seqno: 395,
            root_hash: Buffer.from(id.rootHash).toString('base64'),
            file_hash: Buffer.from(id.fileHash).toString('base64url'),
          },
          mode: 4097,
        }),
      ],
    ],
  },
  { call: { kind: 'liteServer.getBlock', id: last }, spellings: [['id=last'], ['{"id":"last"}']] },
  {
    call: { kind: 'liteServer.getAccountState', id: last, account },
    spellings: [
      ['id=last', `account=${rawAddress}`],
      ['id=last', `account=${friendly}`],
      ['id=last', `account={"workchain":0,"id":"${'13'.repeat(32)}"}`],
    ],
  },
  {
    call: { kind: 'liteServer.runSmcMethod', mode: 4, id, account, methodId: 85143n, params: new Uint8Array(0) },
    spellings: [
      ['mode=4', `id=${idText}`, `account=${rawAddress}`, 'method_id=seqno', 'params='],
      ['mode=4', `id=${idText}`, `account=${rawAddress}`, 'method_id=85143', 'params='],
      [JSON.stringify({ mode: 4, id: idText, account: rawAddress, method_id: 85143, params: '' })],
    ],
  },
  {
    call: { kind: 'liteServer.sendMessage', body: fromHex('b5ee9c72') },
    spellings: [['body=b5ee9c72'], ['body=0xB5EE9C72'], ['body=te6ccg=='], ['body=te6ccg'], ['body=@some.boc']],
  },
  {
    call: { kind: 'liteServer.lookupBlock', mode: 2, id: { workchain: 0, shard: 1n << 62n, seqno: 0 }, lt: 7n },
    spellings: [
      ['id=(0,4000000000000000,0)', 'lt=7'],
      ['id=(0,4000000000000000,0)', 'lt=7', 'mode=2'],
      ['{"id":{"workchain":0,"shard":"4611686018427387904","seqno":0},"lt":"7","utime":null}'],
    ],
  },
  {
    call: {
      kind: 'liteServer.listBlockTransactions',
      id,
      mode: 0xe7,
      count: 16,
      after: { account: hash(0x13), lt: 9n },
      reverseOrder: true,
      wantProof: true,
    },
    spellings: [
      [`id=${idText}`, 'mode=7', 'count=16', `after={"account":"${friendly}","lt":9}`, 'reverse_order', 'want_proof'],
      [
        `id=${idText}`,
        'mode=7',
        'count=16',
        `after={"account":"${'13'.repeat(32)}","lt":"9"}`,
        'reverse_order=true',
        'want_proof=1',
      ],
    ],
  },
  {
    call: { kind: 'liteServer.getConfigParams', mode: 0, id, paramList: [-1, 8, 34] },
    spellings: [
      [`id=${idText}`, 'param_list=-1,8,34'],
      [`id=${idText}`, 'param_list=[-1,8,"34"]'],
    ],
  },
  {
    call: { kind: 'liteServer.getShardInfo', id, workchain: 0, shard: 3n << 62n, exact: false },
    spellings: [
      [`id=${idText}`, 'workchain=0', 'shard=c000000000000000', 'exact=false'],
      [`id=${idText}`, 'workchain=0', 'shard=0xC000000000000000', 'exact=0'],
      [`id=${idText}`, 'workchain=0', 'shard=-4611686018427387904', 'exact=false'],
    ],
  },
]

for (const { call, spellings } of cases) {
  for (const words of spellings) {
    test(`${call.kind} ${words.join(' ').slice(0, 100)}`, () => {
      const readBytes = (path: string): Uint8Array => {
        assert.equal(path, 'some.boc')
        return fromHex('b5ee9c72')
      }
      assert.deepEqual(parse(call.kind, words, readBytes), call)
      assert.deepEqual(parse(call.kind.replace('liteServer.', ''), words, readBytes), call)
    })
  }
}

test('only what is asked about the newest block needs to know it', () => {
  const { needsLast } = parseArguments(getLiteFunction('getBlock'), ['id=last'], noFiles)
  assert.equal(needsLast, true)
  assert.equal(parseArguments(getLiteFunction('getBlock'), [`id=${idText}`], noFiles).needsLast, false)
})

const refusals: readonly (readonly [name: string, words: readonly string[], message: string])[] = [
  ['getBlock', [], 'getBlock needs the argument id.'],
  ['getBlock', ['{"id":null}'], 'getBlock needs the argument id.'],
  ['getBlock', ['last'], 'Expected an argument as name=value, but got "last".'],
  ['getBlock', ['idd=last'], 'getBlock has no argument "idd". Did you mean id?'],
  ['getBlock', ['id=last', 'id=last'], 'The argument id was given more than once.'],
  ['getBlock', ['{"id":'], 'An argument is not JSON: Unexpected end of JSON input.'],
  ['getBlock', ['{"__proto__":1}'], 'getBlock has no argument "__proto__".'],
  [
    'getBlock',
    ['id=(-1,8000000000000000,1)'],
    'The argument id is wrong: expected a block id like (-1,8000000000000000,1):ROOT_HASH:FILE_HASH, but got "(-1,8000000000000000,1)".',
  ],
  ['getBlock', ['id=[]'], 'The argument id is wrong: expected tonNode.blockIdExt as a JSON object, but got "[]".'],
  ['getBlock', ['id={"workchain":0}'], 'The argument id is wrong: expected a value for shard, but got "workchain".'],
  [
    'getBlock',
    ['id={"wc":0}'],
    'The argument id is wrong: expected only workchain, shard, seqno, root_hash, file_hash, but got "wc".',
  ],
  [
    'getMasterchainInfoExt',
    ['mode=-1'],
    'The argument mode is wrong: expected a whole number from 0 to 4294967295, but got "-1".',
  ],
  [
    'getMasterchainInfoExt',
    ['mode=1e3'],
    'The argument mode is wrong: expected a whole number from 0 to 4294967295, but got "1e3".',
  ],
  [
    'getMasterchainInfoExt',
    ['{"mode":1.5}'],
    'The argument mode is wrong: expected a whole number, in quotes where it is over 2^53, but got "1.5".',
  ],
  [
    'getMasterchainInfoExt',
    ['{"mode":true}'],
    'The argument mode is wrong: expected a text or a number, but got "true".',
  ],
  [
    'lookupBlock',
    ['id=(-1,8000000000000000,1)', '{"lt":12345678901234567890}'],
    'Expected an argument as name=value, but got "{\\"lt\\":12345678901234567890}".',
  ],
  [
    'lookupBlock',
    ['{"id":"(-1,8000000000000000,1)","lt":12345678901234567890}'],
    'The argument lt is wrong: expected a whole number, in quotes where it is over 2^53, but got "12345678901234567000".',
  ],
  [
    'lookupBlock',
    ['id=(-1,8000000000000000,1)', 'mode=2'],
    'lookupBlock has wrong arguments: expected liteServer.lookupBlock lt, as its bit is set in the flags word, got nothing (TL, at byte 24).',
  ],
  [
    'lookupBlock',
    ['id=(0,4,1)'],
    'The argument id is wrong: expected a block id like (-1,8000000000000000,1), but got "(0,4,1)".',
  ],
  [
    'getShardInfo',
    ['id=last', 'workchain=0', 'shard=8', 'exact=maybe'],
    'The argument exact is wrong: expected true or false, but got "maybe".',
  ],
  [
    'getShardInfo',
    ['id=last', 'workchain=0', 'shard=0x8', 'exact'],
    'The argument shard is wrong: expected a shard as 16 hex digits or a signed decimal number, but got "0x8".',
  ],
  [
    'sendMessage',
    ['body=%'],
    'The argument body is wrong: expected bytes in hex or base64, or @ and the path of a file, but got "%".',
  ],
  [
    'getLibraries',
    ['library_list=ab'],
    'The argument library_list is wrong: expected a hash as 64 hex digits or 0x and 64 hex digits or 44 characters of padded base64 or 43 characters of base64url, but got "ab".',
  ],
  ['getLibraries', ['{"library_list":7}'], 'The argument library_list is wrong: expected a list, but got "7".'],
]

for (const [name, words, message] of refusals) {
  test(`refuses ${name} ${words.join(' ')}`, () => {
    assert.throws(
      () => parse(name, words),
      (error: UsageError) => {
        assert.ok(error instanceof UsageError)
        assert.equal(error.message, message)
        assert.match(error.advice, new RegExp(`^Usage: chaincenter lite ${name}( |$)`))
        return true
      },
    )
  })
}

test('an unknown function is named, with the one that was meant', () => {
  assert.throws(() => getLiteFunction('getMasterchianInfo'), {
    message: 'Unknown liteserver function "getMasterchianInfo".',
    advice: 'Did you mean getMasterchainInfo?',
  })
  assert.throws(() => getLiteFunction('liteServer.getTim'), { advice: 'Did you mean getTime?' })
  for (const word of ['liteServer.query', 'waitMasterchainSeqno', 'tcp.ping', 'toString']) {
    assert.throws(() => getLiteFunction(word), { code: 'wrong_usage' })
  }
  assert.throws(() => getLiteFunction('x'), { advice: 'Run "chaincenter lite" to see all of them.' })
})
