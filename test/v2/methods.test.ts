import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { beginCell } from '@ton/core'
import { placeContract } from '../support/placeContract.ts'
import { postV2 } from '../support/v2Client.ts'
import { askEveryWay, assertRefused } from '../support/v2Oracle.ts'
import { startV2Network, type V2NetworkService } from '../support/v2Service.ts'
import type { Json } from '../support/v3Client.ts'

const byBody = { ways: ['post', 'rpc'] } as const
const nobody = `0:${'17'.repeat(32)}`

const leaf = beginCell().storeUint(0xdeadbeef, 32).endCell()
const tree = beginCell().storeUint(5, 7).storeRef(leaf).storeRef(beginCell().endCell()).endCell()
const bagOf = (cell: typeof leaf): string => cell.toBoc({ idx: false, crc32: true }).toString('base64')

const leafObject = { data: { b64: '3q2+7w==', len: 32 }, refs: [], special: false }
const treeObject = {
  data: { b64: 'Cg==', len: 7 },
  refs: [leafObject, { data: { b64: '', len: 0 }, refs: [], special: false }],
  special: false,
}

const number = (value: string): Json => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: value },
})
const typedCell = (cell: typeof leaf): Json => ({
  '@type': 'tvm.stackEntryCell',
  cell: { '@type': 'tvm.cell', bytes: bagOf(cell) },
})
const typedSlice = (cell: typeof leaf): Json => ({
  '@type': 'tvm.stackEntrySlice',
  slice: { '@type': 'tvm.slice', bytes: bagOf(cell) },
})
const tupleOf = (...elements: Json[]): Json => ({ '@type': 'tvm.tuple', elements })
const listOf = (...elements: Json[]): Json => ({ '@type': 'tvm.list', elements })
const typedTuple = (...elements: Json[]): Json => ({ '@type': 'tvm.stackEntryTuple', tuple: tupleOf(...elements) })
const typedList = (...elements: Json[]): Json => ({ '@type': 'tvm.stackEntryList', list: listOf(...elements) })

describe('v2 get-methods', () => {
  let service: V2NetworkService
  /** Leaves its arguments as they are. */
  let echo: string
  let placed = 0x40

  before(async () => {
    service = await startV2Network()
    echo = await place('30')
  })
  after(() => service.close())

  const place = (code: Parameters<typeof placeContract>[2]['code'], more = {}): Promise<string> =>
    placeContract(service, ++placed, { code, ...more })

  const run = (address: string, stack: Json[] = [], more = {}): Promise<Json> =>
    askEveryWay(service.url, 'runGetMethod', { address, method: 'any', stack, ...more }, byBody)

  const runStd = (address: string, stack: Json[] = [], more = {}): Promise<Json> =>
    askEveryWay(service.url, 'runGetMethodStd', { address, method: 'any', stack, ...more }, byBody)

  const refused = (stack: Json, status: number, text: string | RegExp): Promise<void> =>
    assertRefused(service.url, 'runGetMethod', { address: echo, method: 'any', stack }, { status, text }, byBody)

  const edge = 1n << 256n
  const numbers: [given: Json, printed: string][] = [
    [0, '0x0'],
    [-31, '-0x1f'],
    ['31', '0x1f'],
    ['0x1F', '0x1f'],
    ['-0x1f', '-0x1f'],
    ['007', '0x7'],
    [`${edge - 1n}`, `0x${(edge - 1n).toString(16)}`],
    [`-${edge}`, `-0x${edge.toString(16)}`],
  ]

  it('takes numbers in every spelling and gives them back in hexadecimal digits', async () => {
    for (const type of ['num', 'int', 'number', 'integer']) {
      const { stack, exit_code } = await run(
        echo,
        numbers.map(([given]) => [type, given]),
      )
      assert.equal(exit_code, 0)
      assert.deepEqual(
        stack,
        numbers.map(([, printed]) => ['num', printed]),
      )
    }
  })

  it('keeps every digit of a number in JSON', async () => {
    const body = `{"address":"${echo}","method":"any","stack":[["num",${edge - 1n}],["num",-9007199254740993]]}`
    const { status, body: answer } = await postV2(`${service.url}/api/v2`, 'runGetMethod', body)
    assert.equal(status, 200)
    assert.deepEqual(answer.result.stack, [
      ['num', `0x${'f'.repeat(64)}`],
      ['num', '-0x20000000000001'],
    ])
  })

  it('takes cells and slices in every form, and tells of both as cells', async () => {
    const given: Json[] = []
    for (const type of ['tvm.Cell', 'tvm.Slice', 'cell', 'slice']) {
      given.push([type, bagOf(tree)], [type, { bytes: bagOf(tree) }], [type, { bytes: bagOf(tree), object: {} }])
    }
    const { stack } = await run(echo, given)
    assert.deepEqual(
      stack,
      given.map(() => ['cell', { bytes: bagOf(tree), object: treeObject }]),
    )
  })

  it('takes tuples and lists, and tells them apart as the original does', async () => {
    const rows: [given: Json, told: Json][] = [
      [
        ['tuple', tupleOf()],
        ['tuple', tupleOf()],
      ],
      [
        ['tvm.Tuple', tupleOf(number('1'), typedCell(leaf))],
        ['tuple', tupleOf(number('1'), typedCell(leaf))],
      ],
      [
        ['list', listOf()],
        ['list', listOf()],
      ],
      [
        ['null', null],
        ['list', listOf()],
      ],
      [
        ['tvm.List', listOf(number('1'), typedSlice(leaf))],
        ['list', listOf(number('1'), typedSlice(leaf))],
      ],
      // Pairs in pairs with null at the end are a list, however they were made.
      [
        ['tuple', tupleOf(number('1'), typedList())],
        ['list', listOf(number('1'))],
      ],
      [
        ['tuple', tupleOf(number('1'), typedTuple(number('2'), typedTuple(number('3'), typedList())))],
        ['list', listOf(number('1'), number('2'), number('3'))],
      ],
      [
        ['tuple', tupleOf(number('1'), number('2'), typedList())],
        ['tuple', tupleOf(number('1'), number('2'), typedList())],
      ],
      [
        ['list', listOf(typedList(number('-5')), typedList())],
        ['list', listOf(typedList(number('-5')), typedList())],
      ],
    ]
    const { stack } = await run(
      echo,
      rows.map(([given]) => given),
    )
    assert.deepEqual(
      stack,
      rows.map(([, told]) => told),
    )
  })

  it('speaks the typed form both ways', async () => {
    const given = [
      number('12'),
      number('-0x1f'),
      number(''),
      typedCell(tree),
      typedSlice(tree),
      typedTuple(number('1'), typedTuple(), typedList()),
      typedList(number('1'), number('2')),
      typedList(),
    ]
    const result = await runStd(echo, given)
    assert.deepEqual(result.stack, [number('12'), number('-31'), number('0'), ...given.slice(3)])
    assert.deepEqual(Object.keys(result).sort(), ['@type', 'exit_code', 'gas_used', 'stack'])
  })

  it('tells of builders and continuations only that they are not supported, and what is no number is the number NaN', async () => {
    // A builder, a continuation, and one divided by zero without an exception.
    const odd = await place('30 C8 90 71 70 B7A904')
    assert.deepEqual((await run(odd)).stack, [
      ['unsupported', ''],
      ['unsupported', ''],
      ['num', 'NaN'],
    ])
    const unsupported = { '@type': 'tvm.stackEntryUnsupported' }
    assert.deepEqual((await runStd(odd)).stack, [unsupported, unsupported, number('NaN')])
  })

  it('leaves the arguments and the number of the method where there is no code', async () => {
    const { stack, exit_code, gas_used, last_transaction_id } = await askEveryWay(
      service.url,
      'runGetMethod',
      {
        address: nobody,
        method: 'seqno',
        stack: [
          ['num', '5'],
          ['num', `${edge - 1n}`],
        ],
      },
      byBody,
    )
    assert.deepEqual(stack, [
      ['num', '0x5'],
      ['num', `0x${(edge - 1n).toString(16)}`],
      ['num', '0x14c97'],
    ])
    assert.deepEqual([exit_code, gas_used, last_transaction_id.lt], [-13, 0, '0'])
  })

  it('finds a method by its name or its number, in any spelling', async () => {
    // Leaves its number.
    const named = await place('00')
    const numbers: [method: Json, id: string][] = [
      ['seqno', '0x14c97'],
      [85143, '0x14c97'],
      ['85143', '0x14c97'],
      ['0x14C97', '0x14c97'],
      [-1, '-0x1'],
      ['-1', '-0x1'],
      ['get_jetton_data', '0x19e2d'],
      ['', '0x10000'],
      [-2147483648, '-0x80000000'],
    ]
    for (const [method, id] of numbers) {
      const args = { address: named, method, stack: [] }
      const { stack } = await askEveryWay(service.url, 'runGetMethod', args, byBody)
      assert.deepEqual(stack, [['num', id]], `${method}`)
    }
    for (const method of [2147483648, 1.5, true, [], {}]) {
      const text = 'failed to parse post request: failed to parse method'
      await assertRefused(service.url, 'runGetMethod', { address: named, method }, { status: 422, text }, byBody)
    }
  })

  it('runs at the time of the state, with the blocks and the configuration of the newest block', async () => {
    // The time, the random seed, the number of the newest of the last blocks, and the whole configuration.
    const curious = await place('30 F823 F826 F83400 6F10 6F12 F829')
    const then = await askEveryWay(service.url, 'getAddressInformation', { address: curious })
    await service.network.controls.moveClock(100)
    await service.mine(3)
    const { seqno } = (await askEveryWay(service.url, 'getMasterchainInfo')).last
    const result = await run(curious, [], { seqno: then.block_id.seqno })
    const [time, seed, newest, config] = result.stack
    assert.equal(Number(time[1]), then.sync_utime)
    assert.deepEqual(seed, ['num', '0x0'])
    assert.deepEqual(result.block_id, then.block_id)
    assert.deepEqual(result.last_transaction_id, then.last_transaction_id)
    assert.equal(Number(newest[1]), seqno)
    const whole = await askEveryWay(service.url, 'getConfigAll')
    assert.equal(config[1].bytes, whole.config.bytes)
    const now = await run(curious)
    assert.ok(Number(now.stack[0][1]) >= then.sync_utime + 100)
  })

  it('gives a result to everything that a contract does', async () => {
    const rows: [name: string, code: string, exitCode: number][] = [
      ['throws', '30 F223', 35],
      ['has no such method', '30 F20B', 11],
      ['has code that is none', 'FFFF', 6],
      ['underflows', '30 30', 2],
    ]
    for (const [name, code, exitCode] of rows) {
      const result = await run(await place(code))
      assert.equal(result.exit_code, exitCode, name)
    }
  })

  it('ends a method that would go on for ever with its gas', async () => {
    const loop = await place('30 90 EA')
    const { exit_code, gas_used, stack } = await run(loop)
    assert.equal(exit_code, -14)
    assert.ok(gas_used > 1_000_000 && gas_used < 1_001_000, `${gas_used}`)
    assert.deepEqual(stack, [['num', `0x${gas_used.toString(16)}`]])
  })

  it('answers with 533 what is nested a hundred deep', async () => {
    const nested = (levels: number): Promise<string> =>
      place(`30 6D 80${levels.toString(16).padStart(2, '0')} 92 6F01 E4`)
    const { stack } = await run(await nested(99))
    let [, value] = stack[0]
    let levels = 1
    for (; value.elements[0]['@type'] === 'tvm.stackEntryTuple'; levels++) value = value.elements[0].tuple
    assert.equal(levels, 99)
    const address = await nested(100)
    for (const name of ['runGetMethod', 'runGetMethodStd']) {
      const text = 'TVM stack is nested too deep'
      await assertRefused(service.url, name, { address, method: 'any' }, { status: 533, text }, byBody)
    }
  })

  it('does not spell out what would fill the memory', async () => {
    // Thirty cells that refer twice to the one before: a billion in all.
    const doubling = await place('30 C8C9 801E 95 20C8CCCCC9 E4')
    const text = 'TVM stack size exceeds limit'
    const args = { address: doubling, method: 'any', stack: [] }
    await assertRefused(service.url, 'runGetMethod', args, { status: 500, text }, byBody)
    // As a bag it is small.
    assert.equal((await runStd(doubling)).stack.length, 1)
    let cell = leaf
    for (let k = 0; k < 30; k++) cell = beginCell().storeRef(cell).storeRef(cell).endCell()
    await refused([['tvm.Cell', bagOf(cell)]], 500, text)
  })

  it('refuses arguments that are none', async () => {
    const rows: [stack: Json, status: number, text: string | RegExp][] = [
      [{}, 422, 'failed to parse post request: failed to parse stack'],
      ['x', 422, 'failed to parse post request: failed to parse stack'],
      [[5], 422, /^Expected a stack entry/],
      [[['num', 1, 2]], 422, 'Expected 2 elements in stack entry, got: 3'],
      [[['num']], 422, 'Expected 2 elements in stack entry, got: 1'],
      [[[5, 5]], 422, /^Invalid type of stack entry/],
      [[['num', '12x']], 422, 'Invalid number: 12x'],
      [[['num', '']], 422, 'Invalid number: '],
      [[['num', ' 5']], 422, 'Invalid number:  5'],
      [[['num', '0o17']], 422, 'Invalid number: 0o17'],
      [[['num', 1.5]], 422, 'Invalid number: 1.5'],
      [[['num', null]], 422, 'Invalid number: null'],
      [[['num', '9'.repeat(5000)]], 422, `Invalid number: ${'9'.repeat(100)}`],
      [[['num', `${edge}`]], 422, `Invalid number: ${edge}`],
      [[['num', `-0x${(edge + 1n).toString(16)}`]], 422, /^Invalid number: -0x/],
      [[['tuple', tupleOf(number(`${edge}`))]], 422, `Invalid number: ${edge}`],
      [[['tvm.Cell', '']], 422, 'Empty tvm.Cell'],
      [[['slice', '']], 422, 'Empty slice'],
      [[['tvm.Cell', 5]], 422, 'Invalid tvm.Cell, base64 string expected'],
      [[['tvm.Cell', '***']], 422, 'Invalid tvm.Cell, base64 string expected'],
      [[['tvm.Slice', 'anVuaw==']], 422, 'Invalid tvm.Slice: cannot deserialize bag-of-cells: invalid header, error 0'],
      [[['cell', { data: {}, refs: [] }]], 422, 'Invalid cell, base64 string expected'],
      [[['tuple', []]], 422, /tvm\.tuple/],
      [[['tuple', listOf()]], 422, /tvm\.tuple/],
      [[['list', tupleOf()]], 422, /tvm\.list/],
      [[['tuple', tupleOf({ '@type': 'nonsense' })]], 422, 'Invalid type of stack entry: nonsense'],
      [[['tvm.Builder', bagOf(leaf)]], 542, 'Unsupported stack entry type: tvm.Builder'],
      [[['Num', 1]], 542, 'Unsupported stack entry type: Num'],
      [[['constructor', 1]], 542, 'Unsupported stack entry type: constructor'],
      [Array.from({ length: 8001 }, () => ['num', 1]), 422, /8000/],
      [Array.from({ length: 1100 }, () => ['num', 1]), 422, /^Invalid stack: /],
      [[['tuple', tupleOf(...Array.from({ length: 256 }, () => number('1')))]], 422, /^Invalid stack: /],
      [[['list', listOf(...Array.from({ length: 2000 }, () => number('1')))]], 422, /^Invalid stack: /],
    ]
    for (const [stack, status, text] of rows) await refused(stack, status, text)
    // The same where no code looks at them.
    const outside = { address: nobody, method: 'any', stack: [['num', `${edge}`]] }
    await assertRefused(service.url, 'runGetMethod', outside, { status: 422, text: `Invalid number: ${edge}` }, byBody)
    for (const [entry, status, text] of [
      [{ '@type': 'tvm.stackEntryUnsupported' }, 500, 'Unsuppored stack entry'],
      [
        { '@type': 'tvm.stackEntryCell', cell: { bytes: 'anVuaw==' } },
        500,
        'cannot deserialize bag-of-cells: invalid header, error 0',
      ],
      [{ '@type': 'tvm.stackEntryCell', cell: { bytes: '***' } }, 422, 'invalid base64 encoded bytes'],
      [['num', '5'], 422, /^Invalid type of stack entry/],
    ] as const) {
      const args = { address: echo, method: 'any', stack: [entry] }
      await assertRefused(service.url, 'runGetMethodStd', args, { status, text }, byBody)
    }
    await assertRefused(
      service.url,
      'runGetMethod',
      { address: echo, method: 'any', seqno: 0 },
      { status: 422, text: 'failed to validate request: seqno should be positive' },
      byBody,
    )
    assert.deepEqual(service.logLines, [])
  })

  it('is served for POST alone', async () => {
    for (const name of ['runGetMethod', 'runGetMethodStd']) {
      const response = await fetch(`${service.url}/api/v2/${name}?address=${echo}&method=any`)
      assert.equal(response.status, 405)
    }
  })

  it('takes no arguments where none are given', async () => {
    const result = await askEveryWay(service.url, 'runGetMethod', { address: echo, method: 'any' }, byBody)
    assert.deepEqual(result.stack, [])
  })
})
