import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filled } from '../../../test/support/sampleMessages.ts'
import { cell, int, nothing, type Scripts, scriptedMethods, slice } from '../../../test/support/scriptedMethods.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { ADDR_NONE, type MsgAddress, readMsgAddress, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import type { VmValue } from '../../codec/tlb/VmValue.ts'
import type { Address } from '../../primitives/Address.ts'
import { findToken } from './findToken.ts'

const at = (byte: number, workchain = 0): Address => ({ workchain, hash: filled(byte) })
const self = at(1)
const parent = at(2)
const owner = at(3)

const addressCell = (address: MsgAddress): Cell => writeWhole(writeMsgAddress, address)
const std = (address: Address): Cell => addressCell({ kind: 'std', ...address, anycast: undefined })
const none = slice(addressCell(ADDR_NONE))

const uri = (text: string): Cell => new CellWriter().writeUint(1, 8).writeBytes(Buffer.from(text)).toCell()
const content = { kind: 'offChain', uri: 'https://example.org' } as const
const contentCell = uri(content.uri)
const code = new CellWriter().writeUint(0xff, 8).toCell()

const findIn = (scripts: Scripts) => findToken(scriptedMethods(scripts).run, self)

/** A result with one of its entries replaced. */
const replaced = (stack: VmStack, position: number, entry: VmValue): VmStack => stack.with(position, entry)

const anycast = { depth: 1, prefix: new Uint8Array([0x80]) }
const badAddresses: Record<string, VmValue> = {
  null: nothing,
  integer: int(0),
  external: slice(addressCell({ kind: 'extern', bits: 8, value: new Uint8Array(1) })),
  variable: slice(addressCell({ kind: 'var', workchain: 0, bits: 8, value: new Uint8Array(1), anycast: undefined })),
  anycast: slice(addressCell({ kind: 'std', ...owner, anycast })),
  short: slice(new CellWriter().writeUint(0b100, 3).writeUint(0, 8).toCell()),
  empty: slice(emptyCell),
}
const badInts: Record<string, VmValue> = { null: nothing, nan: { kind: 'nan' }, cell: cell(code), slice: slice(code) }
const badCells: Record<string, VmValue> = { null: nothing, integer: int(0), slice: slice(contentCell) }
const badContents: Record<string, VmValue> = {
  ...badCells,
  'unknown layout': cell(new CellWriter().writeUint(2, 8).toCell()),
  'a pruned branch': cell(
    new CellWriter().writeUint(PRUNED_BRANCH, 8).writeUint(1, 8).writeBytes(filled(1)).writeUint(0, 16).toExoticCell(),
  ),
}

/** Every way to spoil an entry of a result makes it no result at all; entries behind the last one do not matter. */
const checkStack = (good: VmStack, scriptsOf: (stack: VmStack) => Scripts, bad: readonly Record<string, VmValue>[]) => {
  test('is not taken where an entry is another kind of value', async () => {
    for (const [position, values] of bad.entries()) {
      for (const [why, entry] of Object.entries(values)) {
        const found = await findIn(scriptsOf(replaced(good, position, entry)))
        assert.equal(found, undefined, `${why} at ${position}`)
      }
    }
  })

  test('is not taken with too few entries, and is with more of them', async () => {
    assert.equal(await findIn(scriptsOf(good.slice(0, -1))), undefined)
    assert.equal(await findIn(scriptsOf([])), undefined)
    assert.ok((await findIn(scriptsOf([...good, nothing, int(1)]))) !== undefined)
  })
}

describe('a jetton master', () => {
  const good = [int(1n << 200n), int(-1), slice(std(owner)), cell(contentCell), cell(code)]
  const scriptsOf = (stack: VmStack): Scripts => [[self, { get_jetton_data: stack }]]

  test('is read', async () => {
    assert.deepEqual(await findIn(scriptsOf(good)), {
      kind: 'jettonMaster',
      totalSupply: 1n << 200n,
      mintable: true,
      admin: owner,
      content,
      walletCode: code,
    })
  })

  test('may have no admin and give addresses as cells', async () => {
    const found = await findIn(scriptsOf([int(0), int(0), cell(std(owner)), cell(contentCell), cell(code)]))
    assert.deepEqual(found?.kind === 'jettonMaster' && [found.mintable, found.admin], [false, owner])
    const orphan = await findIn(scriptsOf(replaced(good, 2, none)))
    assert.equal(orphan?.kind === 'jettonMaster' && orphan.admin, undefined)
  })

  test('has to end with exit code 0', async () => {
    for (const exitCode of [1, 11, -14]) {
      assert.equal(await findIn([[self, { get_jetton_data: { exitCode, stack: good } }]]), undefined)
    }
  })

  checkStack(good, scriptsOf, [badInts, badInts, badAddresses, badContents, badCells])
})

describe('a jetton wallet', () => {
  const good = [int(5), slice(std(owner)), slice(std(parent)), cell(code)]
  const vouching = { get_wallet_address: [slice(std(self))] }
  const scriptsOf = (stack: VmStack): Scripts => [
    [self, { get_wallet_data: stack }],
    [parent, vouching],
  ]
  const wallet = { kind: 'jettonWallet', balance: 5n, owner, master: parent, walletCode: code } as const

  test('is read, and its master asked for the wallet of its owner', async () => {
    const asked: unknown[] = []
    const found = await findIn([
      [self, { get_wallet_data: good }],
      [
        parent,
        {
          get_wallet_address: (stack) => {
            asked.push(stack.map((entry) => entry.kind === 'slice' && readMsgAddress(openSlice(entry.slice))))
            return [cell(std(self)), nothing]
          },
        },
      ],
    ])
    assert.deepEqual(found, { ...wallet, mintlessClaimed: undefined })
    assert.deepEqual(asked, [[{ kind: 'std', ...owner, anycast: undefined }]])
  })

  test('is none where the master says otherwise, fails or is not there', async () => {
    const answers = [
      { get_wallet_address: [slice(std(at(9)))] },
      { get_wallet_address: [slice(std(at(1, -1)))] },
      { get_wallet_address: [none] },
      { get_wallet_address: [int(1)] },
      { get_wallet_address: [] },
      { get_wallet_address: { exitCode: 9, stack: [slice(std(self))] } },
      {},
    ]
    for (const answer of answers) {
      assert.equal(
        await findIn([
          [self, { get_wallet_data: good }],
          [parent, answer],
        ]),
        undefined,
      )
    }
    assert.equal(await findIn([[self, { get_wallet_data: good }]]), undefined)
  })

  test('tells whether mintless jettons were claimed, by one number alone', async () => {
    const claimed = async (answer: Scripts[number][1]['is_claimed']) => {
      const found = await findIn([
        [self, { get_wallet_data: good, is_claimed: answer! }],
        [parent, vouching],
      ])
      return found?.kind === 'jettonWallet' ? found.mintlessClaimed : 'no wallet'
    }
    assert.equal(await claimed([int(-1)]), true)
    assert.equal(await claimed([int(0)]), false)
    assert.equal(await claimed([int(1), int(1)]), undefined)
    assert.equal(await claimed([nothing]), undefined)
    assert.equal(await claimed({ exitCode: 5, stack: [int(1)] }), undefined)
  })

  test('needs an owner and a master', async () => {
    assert.equal(await findIn(scriptsOf(replaced(good, 1, none))), undefined)
    assert.equal(await findIn(scriptsOf(replaced(good, 2, none))), undefined)
  })

  checkStack(good, scriptsOf, [badInts, badAddresses, badAddresses, badCells])
})

describe('an NFT collection', () => {
  const good = [int(-1), cell(contentCell), slice(std(owner))]
  const scriptsOf = (stack: VmStack): Scripts => [[self, { get_collection_data: stack }]]

  test('is read, with an owner or without', async () => {
    assert.deepEqual(await findIn(scriptsOf(good)), { kind: 'nftCollection', nextItemIndex: -1n, content, owner })
    const orphan = await findIn(scriptsOf(replaced(good, 2, none)))
    assert.equal(orphan?.kind === 'nftCollection' && orphan.owner, undefined)
  })

  checkStack(good, scriptsOf, [badInts, badContents, badAddresses])
})

describe('an NFT item of collection', () => {
  const individual = new CellWriter().writeBytes(Buffer.from('7.json')).toCell()
  const good = [int(-1), int(1n << 255n), slice(std(parent)), slice(std(owner)), cell(individual)]
  const vouching = { get_nft_address_by_index: [slice(std(self))], get_nft_content: [cell(contentCell)] }
  const scriptsOf = (stack: VmStack): Scripts => [
    [self, { get_nft_data: stack }],
    [parent, vouching],
  ]
  const item = {
    kind: 'nftItem',
    initialized: true,
    index: 1n << 255n,
    collection: parent,
    owner,
    content,
    domain: undefined,
  } as const

  test('is read, its content made by the collection', async () => {
    const asked: unknown[] = []
    const found = await findIn([
      [self, { get_nft_data: good }],
      [
        parent,
        {
          get_nft_address_by_index: (stack) => {
            asked.push(stack)
            return [slice(std(self))]
          },
          get_nft_content: (stack) => {
            asked.push(stack)
            return [cell(contentCell)]
          },
        },
      ],
    ])
    assert.deepEqual(found, item)
    assert.deepEqual(asked, [[int(1n << 255n)], [int(1n << 255n), cell(individual)]])
  })

  test('is none where the collection says otherwise, has no content or is not there', async () => {
    const answers: Scripts[number][1][] = [
      { ...vouching, get_nft_address_by_index: [slice(std(owner))] },
      { ...vouching, get_nft_address_by_index: [none] },
      { ...vouching, get_nft_address_by_index: { exitCode: 2, stack: [] } },
      { ...vouching, get_nft_content: [cell(emptyCell)] },
      { ...vouching, get_nft_content: [nothing] },
      { ...vouching, get_nft_content: [] },
      {},
    ]
    for (const answer of answers)
      assert.equal(
        await findIn([
          [self, { get_nft_data: good }],
          [parent, answer],
        ]),
        undefined,
      )
    assert.equal(await findIn([[self, { get_nft_data: good }]]), undefined)
  })

  test('may have no owner', async () => {
    assert.deepEqual(await findIn(scriptsOf(replaced(good, 3, none))), { ...item, owner: undefined })
  })

  checkStack(good, scriptsOf, [badInts, badInts, badAddresses, badAddresses, badCells])
})

describe('an NFT item by itself', () => {
  const good = [int(0), int(0), none, none, cell(contentCell)]

  test('has its content with it, and nobody is asked about it', async () => {
    const { run, calls } = scriptedMethods([[self, { get_nft_data: good, dnsresolve: [int(8), cell(emptyCell)] }]])
    assert.deepEqual(await findToken(run, self), {
      kind: 'nftItem',
      initialized: false,
      index: 0n,
      collection: undefined,
      owner: undefined,
      content,
      domain: undefined,
    })
    assert.deepEqual(calls, ['get_jetton_data', 'get_wallet_data', 'get_collection_data', 'get_nft_data'])
  })

  test('is none where that content is none', async () => {
    for (const entry of Object.values(badContents)) {
      assert.equal(await findIn([[self, { get_nft_data: replaced(good, 4, entry) }]]), undefined)
    }
  })
})

describe('a contract that is several', () => {
  const master = [int(0), int(0), none, cell(contentCell), cell(code)]
  const wallet = [int(5), slice(std(owner)), slice(std(parent)), cell(code)]
  const collection = [int(0), cell(contentCell), none]
  const item = [int(0), int(0), none, none, cell(contentCell)]
  const all = { get_jetton_data: master, get_wallet_data: wallet, get_collection_data: collection, get_nft_data: item }
  const family: Scripts[number] = [parent, { get_wallet_address: [slice(std(self))] }]

  test('is the first in the order of kinds, and no more is asked', async () => {
    const { run, calls } = scriptedMethods([[self, all], family])
    assert.equal((await findToken(run, self))?.kind, 'jettonMaster')
    assert.deepEqual(calls, ['get_jetton_data'])
    const { get_jetton_data: _, ...others } = all
    assert.equal((await findIn([[self, others], family]))?.kind, 'jettonWallet')
    assert.equal((await findIn([[self, others]]))?.kind, 'nftCollection')
    assert.equal((await findIn([[self, { get_nft_data: item }]]))?.kind, 'nftItem')
  })

  test('is nothing where it has none of the methods, or does not exist', async () => {
    assert.equal(await findIn([[self, {}]]), undefined)
    assert.equal(await findIn([]), undefined)
  })
})

test('a run that cannot be made is a failure, not an answer', async () => {
  const failing = () => Promise.reject(new RangeError('no room'))
  await assert.rejects(findToken(failing, self), RangeError)
})
