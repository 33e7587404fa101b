import type { Matcher } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'
import { matchAuctionBid } from './auction/auctionBid.ts'
import { matchAuctionOutbid } from './auction/auctionOutbid.ts'
import { matchCancelSale } from './auction/cancelSale.ts'
import { matchEndUnsold, matchFinishSold } from './auction/endAuction.ts'
import { matchPutOnSale } from './auction/putOnSale.ts'
import { matchTeleitemCancel, matchTeleitemStart } from './auction/teleitem.ts'
import { matchUpdateSale } from './auction/updateSale.ts'
import { matchCoffeeStakingClaim } from './coffeeStaking/coffeeStakingClaim.ts'
import { matchCoffeeStakingDeposit } from './coffeeStaking/coffeeStakingDeposit.ts'
import { matchCoffeeStakingWithdraw } from './coffeeStaking/coffeeStakingWithdraw.ts'
import { matchChangeDns } from './dns/changeDns.ts'
import { matchDnsPurchase } from './dns/dnsPurchase.ts'
import { matchDnsRelease } from './dns/dnsRelease.ts'
import { matchElectionDeposit, matchElectionRecover } from './election/election.ts'
import { matchEthenaDeposit } from './ethena/ethenaDeposit.ts'
import { matchEthenaWithdrawRequest } from './ethena/ethenaWithdrawRequest.ts'
import { matchEvaaLiquidate } from './evaa/evaaLiquidate.ts'
import { matchEvaaSupply } from './evaa/evaaSupply.ts'
import { matchEvaaWithdraw } from './evaa/evaaWithdraw.ts'
import { matchJettonBurn } from './jetton/jettonBurn.ts'
import { matchJettonMint } from './jetton/jettonMint.ts'
import { matchGhostTransfer, matchJettonTransfer, matchPtonTransfer } from './jetton/jettonTransfer.ts'
import { matchJvaultClaim } from './jvault/jvaultClaim.ts'
import { matchJvaultStake } from './jvault/jvaultStake.ts'
import { matchJvaultUnstake } from './jvault/jvaultUnstake.ts'
import { matchJvaultUnstakeRequest } from './jvault/jvaultUnstakeRequest.ts'
import { matchLayerzeroCommitPacket } from './layerzero/layerzeroCommitPacket.ts'
import { matchLayerzeroDvnVerify } from './layerzero/layerzeroDvnVerify.ts'
import { matchLayerzeroReceive } from './layerzero/layerzeroReceive.ts'
import { matchLayerzeroSend } from './layerzero/layerzeroSend.ts'
import { matchLayerzeroSendTokens } from './layerzero/layerzeroSendTokens.ts'
import { matchBillPayout } from './liquidStaking/billPayout.ts'
import { matchLiquidBurn } from './liquidStaking/liquidBurn.ts'
import { matchLiquidDeposit } from './liquidStaking/liquidDeposit.ts'
import { matchMultisigApprove } from './multisig/approveOrder.ts'
import { matchMultisigCreateOrder } from './multisig/createOrder.ts'
import { matchMultisigExecute } from './multisig/executeOrder.ts'
import { matchAssignedTransfer } from './nft/assignedTransfer.ts'
import { matchNftDiscovery } from './nft/nftDiscovery.ts'
import { matchNftMint } from './nft/nftMint.ts'
import { matchNftPurchase } from './nft/nftPurchase.ts'
import { matchNftTransfer } from './nft/nftTransfer.ts'
import { matchNominatorDeposit } from './nominator/nominatorDeposit.ts'
import { matchNominatorPayouts } from './nominator/nominatorPayouts.ts'
import { matchNominatorWithdrawRequest } from './nominator/nominatorWithdrawRequest.ts'
import { matchSubscribe } from './subscription/subscribe.ts'
import { matchUnsubscribe } from './subscription/unsubscribe.ts'
import { matchVestingWhitelist } from './vesting/addWhitelist.ts'
import { matchVestingSend } from './vesting/sendMessage.ts'

/** In the order in which they go over a trace: what one makes is what the next ones see. */
export const matchers: readonly Matcher[] = [
  matchNftMint, // 1
  matchBillPayout, // 2
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
  matchJettonBurn, // 18
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
  matchJvaultStake, // 48
  matchJvaultUnstake, // 49
  matchJvaultClaim, // 50
  matchJvaultUnstakeRequest, // 51
  matchEvaaSupply, // 52
  matchEvaaWithdraw, // 53
  matchEvaaLiquidate, // 54
  matchCoffeeStakingDeposit, // 73
  matchCoffeeStakingWithdraw, // 74
  matchCoffeeStakingClaim, // 75
  matchLayerzeroSend, // 76
  matchLayerzeroSendTokens, // 77
  matchLayerzeroReceive, // 78
  matchLayerzeroCommitPacket, // 79
  matchLayerzeroDvnVerify, // 80
]

/** For messages that a wallet was asked to send and never did. */
export const ghostMatchers: readonly Matcher[] = [matchGhostTransfer]

/** What is put together at the end, when every match has been made. */
export const mergers: readonly ((root: Block) => void)[] = []
