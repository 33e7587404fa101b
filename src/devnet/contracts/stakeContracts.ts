import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { startBody, writeAddress } from './messages.ts'

const DEPOSIT = 0x47d54391

/** A pool for liquid staking; the content is that of its jetton. */
export const stakePoolInit = (content: Cell): StateInit => {
  const w = new CellWriter().writeCoins(0n).writeCoins(0n)
  w.writeRef(compiledCode('stakeMinter')).writeRef(compiledCode('jettonWallet')).writeRef(content)
  return contractInit(compiledCode('stakePool'), w.toCell())
}

/** The jetton that stands for stakes in a pool. */
export const stakeMinterAddress = (pool: Address, content: Cell): Address => {
  const w = writeAddress(new CellWriter().writeCoins(0n), pool)
  return contractAddress(
    contractInit(compiledCode('stakeMinter'), w.writeRef(content).writeRef(compiledCode('jettonWallet')).toCell()),
  )
}

/** Stakes what comes with it, but for 1 TON. */
export const stakeDepositBody = (queryId: bigint): Cell => startBody(DEPOSIT, queryId).toCell()
