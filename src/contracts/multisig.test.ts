import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractAt, findAmong, runnerOf } from '../../test/support/contractRunner.ts'
import { haveFixtures, readFixture } from '../../test/support/fixtures.ts'
import { filled } from '../../test/support/sampleMessages.ts'
import { cell, int, nothing, scriptedMethods, slice } from '../../test/support/scriptedMethods.ts'
import { createTestMachine, sampleContext } from '../../test/support/vmSamples.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { compiledCode, contractAddress, contractInit } from '../devnet/contracts/contractInit.ts'
import { writeAddress } from '../devnet/contracts/messages.ts'
import { multisigInit, multisigOrderAddress } from '../devnet/contracts/multisigContracts.ts'
import type { Address } from '../primitives/Address.ts'
import { findMultisig, findMultisigOrder } from './multisig.ts'

const { machine } = await createTestMachine({ after })

const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })

describe('a multisig of our own', () => {
  const init = multisigInit({ threshold: 2, signers: [at(3), at(1), at(2)], proposers: [at(9)] })
  const address = contractAddress(init)
  const identity = writeAddress(new CellWriter(), address).writeUintWide(5n, 256).toCell()
  const orderAt = (where: Address) => contractAt(where, contractInit(compiledCode('multisigOrder'), identity))
  const order = orderAt(multisigOrderAddress(address, 5n))
  const run = runnerOf(machine, sampleContext(), findAmong([contractAt(address, init), order, orderAt(at(7))]))

  test('is read, signers in the order of their numbers', async () => {
    assert.deepEqual(await findMultisig(run, address), {
      nextOrderSeqno: 0n,
      threshold: 2,
      signers: [at(3), at(1), at(2)],
      proposers: [at(9)],
    })
    assert.equal(await findMultisig(run, order.address), undefined)
  })

  test('vouches for its orders, and for no others', async () => {
    assert.deepEqual(await findMultisigOrder(run, order.address), {
      multisig: address,
      orderSeqno: 5n,
      progress: undefined,
    })
    assert.equal(await findMultisigOrder(run, at(7)), undefined)
    assert.equal(await findMultisigOrder(run, address), undefined)
  })
})

test('a multisig of the main network is read', async (t) => {
  const path = 'mainnet/contracts/wallets/MultisigV2_d3d14da9'
  if (!haveFixtures(t, `${path}.data.boc`)) return
  const [code, data] = [`${path}.boc`, `${path}.data.boc`].map((file) => decodeSingleBoc(readFixture(file)))
  const run = runnerOf(machine, sampleContext(), findAmong([contractAt(at(1), contractInit(code!, data!))]))
  const found = await findMultisig(run, at(1))
  assert.ok(found !== undefined && found.threshold > 0 && found.signers.length >= found.threshold)
})

describe('results of orders', () => {
  const std = (address: Address) => slice(writeAddress(new CellWriter(), address).toCell())
  const order = new CellWriter().writeUint(1, 8).toCell()
  const good = [std(at(2)), int(12), int(2), int(0), nothing, int(5), int(2), int(1_767_225_600), cell(order)]
  const find = (stack: typeof good) =>
    findMultisigOrder(
      scriptedMethods([
        [at(1), { get_order_data: stack }],
        [at(2), { get_order_address: ([seqno]) => (seqno?.kind === 'int' && seqno.value === 12n ? [std(at(1))] : []) }],
      ]).run,
      at(1),
    )

  test('are read whole', async () => {
    assert.deepEqual(await find(good), {
      multisig: at(2),
      orderSeqno: 12n,
      progress: {
        threshold: 2,
        sentForExecution: false,
        signers: [],
        approvalsMask: 5n,
        approvalsCount: 2,
        expirationDate: 1_767_225_600,
        order,
      },
    })
  })

  test('that are no such results are none', async () => {
    assert.equal(await find(good.slice(0, 8)), undefined)
    assert.equal(await find(good.with(2, int(1n << 60n))), undefined)
    assert.equal(await find(good.with(4, cell(emptyCell))), undefined)
    assert.equal(await find(good.with(8, nothing)), undefined)
  })
})
