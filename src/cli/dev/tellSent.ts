import type { Cell } from '../../codec/cell/Cell.ts'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'

/** Controls that tell of every message from outside that the network has taken by them. */
export const tellSent = (controls: NetworkControls, onSent: (message: Cell) => void): NetworkControls => ({
  ...controls,
  async faucet(address, amount) {
    const sent = await controls.faucet(address, amount)
    if (sent.message !== undefined) onSent(sent.message)
    return sent
  },
  async send(message) {
    const sent = await controls.send(message)
    onSent(message)
    return sent
  },
})
