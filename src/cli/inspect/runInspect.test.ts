import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  Address,
  beginCell,
  type Cell,
  comment,
  Dictionary,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
  storeStateInit,
  toNano,
} from '@ton/core'
import { fixturePath, haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { createOwnChain } from '../../../test/support/OwnChain.ts'
import { runCommandLine } from '../../../test/support/runCommandLine.ts'
import type { Json } from '../../../test/support/v3Client.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { signBlock } from '../../devnet/collate/signBlock.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'

const inspect = async (t: TestContext, what: string, workingDir?: string): Promise<Json> => {
  const host = workingDir === undefined ? {} : { workingDir }
  const { exitCode, out, err } = await runCommandLine(t, ['inspect', what, '--json'], host)
  assert.equal(exitCode, 0, out + err)
  return JSON.parse(out) as Json
}

const friendly = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const address = Address.parse(friendly)

test('an address is shown in all its forms, whichever was given', async (t) => {
  const forms = await inspect(t, friendly)
  assert.deepEqual(forms, {
    kind: 'address',
    given: 'bounceable',
    workchain: 0,
    raw: address.toRawString(),
    bounceable: friendly,
    non_bounceable: address.toString({ bounceable: false }),
    test_only_bounceable: address.toString({ testOnly: true }),
    test_only_non_bounceable: address.toString({ bounceable: false, testOnly: true }),
    hash_hex: address.hash.toString('hex'),
    hash_base64: address.hash.toString('base64'),
  })
  const { given: _given, ...others } = forms
  assert.deepEqual(await inspect(t, address.toRawString()), others)
})

test('block ids and hashes are shown in all their forms', async (t) => {
  const id = await inspect(t, '(0,a000000000000000,7)')
  assert.deepEqual(id, {
    kind: 'block id',
    workchain: 0,
    shard: 'a000000000000000',
    shard_signed: String(BigInt.asIntN(64, 0xa000000000000000n)),
    shard_depth: 2,
    seqno: 7,
  })
  const hash = address.hash
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    const { kind, hex, base64 } = await inspect(t, hash.toString(form))
    assert.deepEqual([kind, hex, base64], ['hash', hash.toString('hex'), hash.toString('base64')])
  }
})

const bags: readonly { name: string; cell: Cell; expected: object }[] = [
  {
    name: 'a message from outside',
    cell: beginCell()
      .store(storeMessage(external({ to: address, body: comment('hello') })))
      .endCell(),
    expected: {
      kind: 'message, from outside',
      destination: friendly,
      source: 'none',
      body: { decoded: { '@type': 'text_comment' } },
    },
  },
  {
    name: 'an internal message that is still to be sent',
    cell: beginCell()
      .store(storeMessageRelaxed(internal({ to: address, value: toNano('1.5'), body: comment('tea') })))
      .endCell(),
    expected: { kind: 'message, internal', source: 'none', destination: friendly, value: '1500000000', bounce: true },
  },
  {
    name: 'the state of a contract',
    cell: beginCell()
      .store(storeStateInit({ code: comment('code'), data: comment('data') }))
      .endCell(),
    expected: {
      kind: 'state of a contract',
      code_hash: comment('code').hash().toString('hex'),
      data_hash: comment('data').hash().toString('hex'),
    },
  },
  {
    name: 'a body',
    cell: beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(5, 64)
      .storeCoins(7)
      .storeAddress(address)
      .storeAddress(address)
      .storeBit(false)
      .storeCoins(0)
      .storeBit(false)
      .endCell(),
    expected: {
      kind: 'cells',
      as_a_body: { opcode: '0x0f8a7ea5', name: 'jetton_transfer', decoded: { amount: { value: '7' } } },
    },
  },
]

for (const { name, cell, expected } of bags) {
  test(`${name} is recognized as a file of bytes, as hex and as base64`, async (t) => {
    const folder = writeTree(t, { 'message.txt': `${cell.toBoc().toString('base64')}\n` })
    writeFileSync(join(folder, 'message.boc'), cell.toBoc())
    const found = await inspect(t, 'message.boc', folder)
    assert.equal(JSON.stringify(pick(found, expected)), JSON.stringify(expected))
    assert.equal(found.root!.hash, cell.hash().toString('hex'))
    for (const what of ['message.txt', cell.toBoc().toString('hex'), cell.toBoc({ idx: true }).toString('base64')]) {
      const { bag: _bag, ...same } = await inspect(t, what, folder)
      const { bag: _own, ...own } = found
      assert.deepEqual(same, own)
    }
    const { out } = await runCommandLine(t, ['inspect', 'message.boc'], { workingDir: folder })
    assert.ok(out.startsWith('kind '), out)
  })
}

test('a block proof is told by its tag, with the block that it is of', async (t) => {
  const chain = await createOwnChain()
  t.after(() => chain.close())
  const { master } = (await chain.make()).step
  const { proof } = signBlock(master, chain.key)
  const found = await inspect(t, Buffer.from(proof).toString('base64'))
  assert.deepEqual(
    [found.kind, found.of, found.root_hash, found.proves, found.signatures],
    ['block proof', formatBlockId(master.id), toHex(master.id.rootHash), toHex(master.id.rootHash), 1],
  )
})

test('cells that are nothing known are not taken for a message, an account or a state', async (t) => {
  const unknown = [
    beginCell().storeUint(0xc3, 8).storeUint(0, 200).endCell(),
    beginCell().storeUint(0, 1).endCell(),
    beginCell().storeUint(0, 600).endCell(),
    beginCell().storeUint(0xffffffff, 32).storeUint(0xffffffff, 32).endCell(),
    // The header of a message between workchains that there are not.
    beginCell()
      .storeUint(0b0110, 4)
      .storeAddress(new Address(9, address.hash))
      .storeAddress(new Address(9, address.hash))
      .storeUint(0, 200)
      .endCell(),
  ]
  for (const cell of unknown) {
    const { kind } = await inspect(t, cell.toBoc().toString('base64'))
    assert.equal(kind, 'cells', cell.toString())
  }
})

/** The members of `found` that `expected` has. */
const pick = (found: unknown, expected: unknown): unknown =>
  typeof expected !== 'object' || expected === null
    ? found
    : Object.fromEntries(
        Object.entries(expected).map(([name, value]) => [name, pick((found as Record<string, unknown>)[name], value)]),
      )

/** Code as compilers lay it out: SETCP 0, a dictionary of methods, a jump into it, an error for all others. */
const compiledCode = (methods: Readonly<Record<number, Cell>>): Cell => {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(19), Dictionary.Values.Cell())
  for (const [id, code] of Object.entries(methods)) dictionary.set(Number(id), code)
  const entries = beginCell()
    .storeDictDirect(dictionary, Dictionary.Keys.Int(19), {
      serialize: (body: Cell, builder) => void builder.storeSlice(body.beginParse()),
      parse: () => comment(''),
    })
    .endCell()
  return beginCell()
    .storeUint(0xff00, 16)
    .storeUint(0xf4a413, 24)
    .storeRef(entries)
    .storeUint(0xf4bc, 16)
    .storeUint(0xf2c00b, 24)
    .endCell()
}

test('code is listed method by method, each by its name, with offsets and what is inside', async (t) => {
  const bits = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()
  const inner = bits('7173a0')
  const code = compiledCode({
    0: beginCell()
      .storeUint(0x30, 8)
      .storeUint(0xdb3c, 16)
      .storeRef(inner)
      .storeUint(0xdb3c, 16)
      .storeRef(inner)
      .endCell(),
    85143: bits('ed44d0d31f30'),
    12345: bits('9171f23f'),
  })
  const found = await inspect(t, code.toBoc().toString('base64'))
  assert.equal(found.kind, 'code')
  assert.deepEqual(found.instructions, [
    '0: SETCP 0',
    '16: DICTPUSHCONST 19 (xC_,1)',
    '40: DICTIGETJMPZ',
    '56: THROW 11',
  ])
  const cell = `(${inner.hash().toString('hex').toUpperCase()})`
  assert.deepEqual(found.methods, [
    {
      method: 'recv_internal',
      id: 0,
      // The second call is to the same cell, which is not listed again.
      instructions: [
        ...['7: DROP', `15: CALLREF ${cell}`, '  0: PUSHINT 1', '  8: PUSHINT 3', '  16: ADD', `31: CALLREF ${cell}`],
      ],
    },
    { method: 'method 12345', id: 12345, instructions: ['19: PUSHCONT x71', '  27: PUSHINT 1', '35: THROW 63'] },
    { method: 'seqno', id: 85143, instructions: ['23: PUSH c4', '39: CTOS', '47: LDU 32', '63: DROP'] },
  ])
  const { out } = await runCommandLine(t, ['inspect', code.toBoc().toString('base64')])
  assert.match(out, /seqno/)
})

test('what is nothing of the kind is refused in one sentence, and with what would be', async (t) => {
  const folder = writeTree(t, { 'empty.boc': '', 'text.txt': 'hello', 'sub/x': '' })
  const cut = comment('a long text').toBoc().subarray(0, 20).toString('hex')
  for (const what of [
    'xyz',
    'empty.boc',
    'text.txt',
    'sub',
    cut,
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M',
    '\0',
    'x'.repeat(100_000),
  ]) {
    const { exitCode, out, err } = await runCommandLine(t, ['inspect', what], { workingDir: folder })
    assert.deepEqual([exitCode, out], [2, ''], what.slice(0, 50))
    assert.match(err, /^(The file|What was given,) [^\n]{1,300}\.\nGive an address, [^\n]*\.\n$/)
  }
})

test('recorded blocks, accounts and transactions are what others say they are', { timeout: 120_000 }, async (t) => {
  if (!haveFixtures(t, 'mainnet/transactions')) return
  const blocks = readFixtureJson<readonly Json[]>('mainnet/blocks/index.json').slice(0, 12)
  for (const block of blocks) {
    const found = await inspect(t, fixturePath(`mainnet/blocks/${block.file}`))
    assert.deepEqual(
      [found.kind, found.id, found.root_hash, found.global_id, found.key_block],
      [
        'block',
        `(${block.workchain},${block.shard},${block.seqno})`,
        block.root_hash,
        block.global_id,
        block.key_block,
      ],
    )
  }
  for (const account of readFixtureJson<readonly Json[]>('mainnet/accounts/index.json').slice(0, 10)) {
    const found = await inspect(t, fixturePath(`mainnet/accounts/${account.file}`))
    assert.deepEqual(
      [found.kind, found.address, found.state, found.balance],
      ['account', account.friendly, account.status, account.balance],
    )
  }
  for (const path of listFixtures('mainnet/transactions', '.json').slice(0, 20)) {
    const { computed } = readFixtureJson<Json>(path)
    const found = await inspect(t, fixturePath(path.replace(/json$/, 'boc')))
    assert.deepEqual(
      [
        found.kind,
        found.hash,
        found.account,
        found.lt,
        found.total_fees,
        found.in_message?.hash,
        found.out_messages!.map(({ hash }: Json) => hash),
      ],
      [
        'transaction',
        computed!.hash,
        computed!.account,
        computed!.lt,
        computed!.total_fees,
        computed!.in_msg?.hash,
        computed!.out_msgs!.map(({ hash }: Json) => hash),
      ],
    )
  }
})
