import type { Matcher } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'
import {
  matchAuctionBid,
  matchAuctionOutbid,
  matchCancelSale,
  matchEndUnsold,
  matchFinishSold,
  matchTeleitemCancel,
  matchTeleitemStart,
} from './auctions.ts'
import {
  matchCocoonChangeSecretHash,
  matchCocoonClientRegister,
  matchCocoonClientTopUp,
  matchCocoonClientWithdraw,
  matchCocoonGrantRefund,
  matchCocoonRequestRefund,
} from './cocoon.ts'
import {
  matchCocoonIncreaseStake,
  matchCocoonProxyCharge,
  matchCocoonProxyPayout,
  matchCocoonRegisterProxy,
  matchCocoonUnregisterProxy,
  matchCocoonWorkerPayout,
} from './cocoonProxies.ts'
import {
  matchCoffeeDeposit,
  matchCoffeeMevFailed,
  matchCoffeeMevHold,
  matchCoffeeSwap,
  matchCoffeeWithdraw,
} from './coffee.ts'
import { matchCoffeePool, matchCoffeePoolCreator, matchCoffeeVault } from './coffeePools.ts'
import { matchCoffeeStakingClaim, matchCoffeeStakingDeposit, matchCoffeeStakingWithdraw } from './coffeeStaking.ts'
import { matchDedustSwap, matchDedustWithdraw } from './dedust.ts'
import { matchDedustDeposit, matchDedustFirstDeposit, mergeDedustDeposits } from './dedustDeposits.ts'
import { matchChangeDns, matchDnsPurchase, matchDnsRelease } from './dns.ts'
import { matchElectionDeposit, matchElectionRecover } from './elections.ts'
import { matchEthenaDeposit, matchEthenaWithdrawRequest } from './ethena.ts'
import { matchEvaaLiquidate, matchEvaaSupply, matchEvaaWithdraw } from './evaa.ts'
import {
  matchGhostTransfer,
  matchJettonBurn,
  matchJettonMint,
  matchJettonTransfer,
  matchPtonTransfer,
} from './jettons.ts'
import { matchJvaultClaim, matchJvaultStake, matchJvaultUnstake, matchJvaultUnstakeRequest } from './jvault.ts'
import {
  matchLayerzeroCommitPacket,
  matchLayerzeroDvnVerify,
  matchLayerzeroReceive,
  matchLayerzeroSend,
  matchLayerzeroSendTokens,
} from './layerzero.ts'
import { matchBillPayout, matchLiquidBurn, matchLiquidDeposit } from './liquidStaking.ts'
import { matchMultisigApprove, matchMultisigCreateOrder, matchMultisigExecute } from './multisig.ts'
import { matchNftDiscovery, matchNftMint } from './nfts.ts'
import { matchAssignedTransfer, matchNftPurchase, matchNftTransfer } from './nftTransfers.ts'
import { matchNominatorDeposit, matchNominatorPayouts, matchNominatorWithdrawRequest } from './nominators.ts'
import { matchPutOnSale, matchUpdateSale } from './sales.ts'
import { matchStonfiSwap } from './stonfi.ts'
import { matchStonfiV2Deposit, matchStonfiV2Swap, matchStonfiV2Withdraw } from './stonfiV2.ts'
import { matchSubscribe, matchUnsubscribe } from './subscriptions.ts'
import {
  matchTgbtcBurn,
  matchTgbtcBurnLog,
  matchTgbtcDkgLog,
  matchTgbtcMint,
  matchTgbtcMintLog,
  matchTgbtcNewKey,
  matchTgbtcNewKeyLog,
} from './tgbtc.ts'
import { matchToncoDeployPool, matchToncoDeposit, matchToncoSwap, matchToncoWithdraw } from './tonco.ts'
import { matchVestingSend, matchVestingWhitelist } from './vesting.ts'

/** In the order in which they run over a trace: each sees the blocks that earlier ones made. */
export const matchers: readonly Matcher[] = [
  matchNftMint, // 1
  matchBillPayout, // 2
  matchDedustDeposit, // 3
  matchDedustFirstDeposit, // 4
  matchLiquidDeposit, // 5
  matchLiquidBurn, // 6
  matchMultisigCreateOrder, // 7
  matchMultisigApprove, // 8
  matchMultisigExecute, // 9
  matchVestingSend, // 10
  matchVestingWhitelist, // 11
  matchNominatorDeposit, // 12
  matchNominatorWithdrawRequest, // 13
  matchNominatorPayouts, // 14
  matchJettonTransfer, // 15
  matchPtonTransfer, // 16
  matchDedustWithdraw, // 17
  matchJettonBurn, // 18
  matchDedustSwap, // 19
  matchStonfiSwap, // 20
  matchStonfiV2Swap, // 21
  matchToncoSwap, // 22
  matchDnsRelease, // 23
  matchDnsPurchase, // 24
  matchUpdateSale, // 25
  matchNftTransfer, // 26
  matchAssignedTransfer, // 27
  matchNftPurchase, // 28
  matchPutOnSale, // 29
  matchTeleitemStart, // 30
  matchTeleitemCancel, // 31
  matchNftDiscovery, // 32
  matchChangeDns, // 33
  matchElectionDeposit, // 34
  matchElectionRecover, // 35
  matchSubscribe, // 36
  matchUnsubscribe, // 37
  matchAuctionBid, // 38
  matchAuctionOutbid, // 39
  matchCancelSale, // 40
  matchFinishSold, // 41
  matchEndUnsold, // 42
  matchEthenaWithdrawRequest, // 43
  matchJettonMint, // 44
  matchEthenaDeposit, // 45
  matchStonfiV2Deposit, // 46
  matchStonfiV2Withdraw, // 47
  matchJvaultStake, // 48
  matchJvaultUnstake, // 49
  matchJvaultClaim, // 50
  matchJvaultUnstakeRequest, // 51
  matchEvaaSupply, // 52
  matchEvaaWithdraw, // 53
  matchEvaaLiquidate, // 54
  matchTgbtcMint, // 55
  matchTgbtcBurn, // 56
  matchTgbtcNewKey, // 57
  matchTgbtcMintLog, // 58
  matchTgbtcBurnLog, // 59
  matchTgbtcNewKeyLog, // 60
  matchTgbtcDkgLog, // 61
  matchToncoDeposit, // 62
  matchToncoDeployPool, // 63
  matchToncoWithdraw, // 64
  matchCoffeeDeposit, // 65
  matchCoffeeSwap, // 66
  matchCoffeeWithdraw, // 67
  matchCoffeeVault, // 68
  matchCoffeePoolCreator, // 69
  matchCoffeePool, // 70
  matchCoffeeMevHold, // 71
  matchCoffeeMevFailed, // 72
  matchCoffeeStakingDeposit, // 73
  matchCoffeeStakingWithdraw, // 74
  matchCoffeeStakingClaim, // 75
  matchLayerzeroSend, // 76
  matchLayerzeroSendTokens, // 77
  matchLayerzeroReceive, // 78
  matchLayerzeroCommitPacket, // 79
  matchLayerzeroDvnVerify, // 80
  matchCocoonWorkerPayout, // 81
  matchCocoonProxyPayout, // 82
  matchCocoonProxyCharge, // 83
  matchCocoonClientTopUp, // 84
  matchCocoonRegisterProxy, // 85
  matchCocoonUnregisterProxy, // 86
  matchCocoonClientRegister, // 87
  matchCocoonChangeSecretHash, // 88
  matchCocoonRequestRefund, // 89
  matchCocoonGrantRefund, // 90
  matchCocoonIncreaseStake, // 91
  matchCocoonClientWithdraw, // 92
]

/** For messages that a wallet was asked to send but never sent. */
export const ghostMatchers: readonly Matcher[] = [matchGhostTransfer]

/** Merges that run last, after all matches. */
export const mergers: readonly ((root: Block) => void)[] = [mergeDedustDeposits]
