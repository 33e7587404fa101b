// The network of the hostile hour: an embedded one with contracts that do harm.
import { startNetwork } from '../../../src/cli/dev/startNetwork.ts'
import { CellWriter, emptyCell } from '../../../src/codec/cell/CellWriter.ts'
import { contractAddress, contractInit } from '../../../src/devnet/contracts/contractInit.ts'
import { formatRawAddress } from '../../../src/primitives/Address.ts'
import { fromHex } from '../../../src/primitives/hex.ts'
import { serveParent } from '../../support/benchChild.ts'
import { coins } from '../../support/testNetwork.ts'

export type PreyNetwork = {
  readonly globalConfig: string
  /** Whatever get-method is called runs for ever. */
  readonly endless: string
  /** Gives back whatever it gets. */
  readonly echo: string
  /** Makes a tuple of two of itself, and again, and again. */
  readonly swelling: string
  readonly wallets: readonly string[]
}

const GRAM = 1_000_000_000n
const DROP = '30'
const network = await startNetwork({ mining: { mode: 'interval', intervalMs: 1000, emptyBlocks: true } })

const deploy = async (code: string): Promise<string> => {
  const init = contractInit(new CellWriter().writeBytes(fromHex(code)).toCell(), emptyCell)
  const address = contractAddress(init)
  await network.controls.setAccount({ address, balance: coins(GRAM), state: { kind: 'active', init } })
  return formatRawAddress(address)
}

const ready: PreyNetwork = {
  globalConfig: network.globalConfig.path,
  // PUSHCONT with nothing in it, AGAIN.
  endless: await deploy(`${DROP}90ea`),
  echo: await deploy(DROP),
  // PUSHINT 1, then as a loop: DUP, TUPLE 2.
  swelling: await deploy(`${DROP}7193206f02ea`),
  wallets: network.accounts.map(({ address }) => address),
}
serveParent(ready)
