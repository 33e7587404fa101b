import type { Detector } from '../Detector.ts'
import { dedustPool } from './dedustPool.ts'
import { jettonMaster } from './jettonMaster.ts'
import { jettonWallet } from './jettonWallet.ts'
import { multisig, multisigOrder } from './multisigs.ts'
import { nftCollection } from './nftCollection.ts'
import { nftItem } from './nftItem.ts'
import { auction, fixPriceSale, telemintItem } from './nftSales.ts'
import { vestingWallet } from './vestingWallet.ts'

/** A contract may be several things at once. Of those that share a table no contract is two. */
export const allDetectors: readonly Detector[] = [
  jettonWallet,
  jettonMaster,
  nftItem,
  nftCollection,
  fixPriceSale,
  auction,
  telemintItem,
  multisig,
  multisigOrder,
  vestingWallet,
  dedustPool,
]
