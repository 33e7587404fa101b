import type { ForwardPrices, GasPrices, StoragePrices } from '../../../codec/tlb/config/prices.ts'

// What things cost on the main network as of August 2026, so that what works here can be afforded there.

export const storagePrices: StoragePrices = {
  utimeSince: 0,
  bitPrice: 0n,
  cellPrice: 135n,
  masterchainBitPrice: 1_000n,
  masterchainCellPrice: 500_000n,
}

export const masterchainGasPrices: GasPrices = {
  flat: { limit: 100n, price: 1_000_000n },
  gasPrice: 655_360_000n,
  gasLimit: 1_000_000n,
  specialGasLimit: 70_000_000n,
  gasCredit: 10_000n,
  blockGasLimit: 2_500_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: 1_000_000_000n,
}

export const gasPrices: GasPrices = {
  flat: { limit: 100n, price: 6_667n },
  gasPrice: 4_369_067n,
  gasLimit: 1_000_000n,
  specialGasLimit: 1_000_000n,
  gasCredit: 10_000n,
  blockGasLimit: 10_000_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: 1_000_000_000n,
}

export const masterchainForwardPrices: ForwardPrices = {
  lumpPrice: 10_000_000n,
  bitPrice: 655_360_000n,
  cellPrice: 65_536_000_000n,
  ihrPriceFactor: 98_304,
  firstFraction: 21_845,
  nextFraction: 21_845,
}

export const forwardPrices: ForwardPrices = {
  lumpPrice: 66_667n,
  bitPrice: 4_369_067n,
  cellPrice: 436_906_667n,
  ihrPriceFactor: 98_304,
  firstFraction: 21_845,
  nextFraction: 21_845,
}
