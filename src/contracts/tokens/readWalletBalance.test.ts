import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { Address } from '../../primitives/Address.ts'
import { readWalletBalance } from './readWalletBalance.ts'

const account = (fill: number): Address => ({ workchain: 0, hash: new Uint8Array(32).fill(fill) })

const writeAddress = (w: CellWriter, { workchain, hash }: Address): CellWriter => {
  writeMsgAddress(w, { kind: 'std', anycast: undefined, workchain, hash })
  return w
}

const dataOf = (w: CellWriter, owner: Address, master: Address) => writeAddress(writeAddress(w, owner), master).toCell()

test('the balance of a wallet is read only if owner and master are the expected ones', () => {
  const [owner, master] = [account(1), account(2)]
  assert.equal(readWalletBalance(dataOf(new CellWriter().writeCoins(77n), owner, master), owner, master), 77n)
  const governed = new CellWriter().writeUint(0, 4).writeCoins(5n)
  assert.equal(readWalletBalance(dataOf(governed, owner, master), owner, master), 5n)
  const swapped = dataOf(new CellWriter().writeCoins(77n), master, owner)
  assert.equal(readWalletBalance(swapped, owner, master), undefined)
  assert.equal(readWalletBalance(emptyCell, owner, master), undefined)
})
