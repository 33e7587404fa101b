import type { Matcher } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'
import { matchAuctionBid } from './auction/auctionBid.ts'
import { matchAuctionOutbid } from './auction/auctionOutbid.ts'
import { matchCancelSale } from './auction/cancelSale.ts'
import { matchEndUnsold, matchFinishSold } from './auction/endAuction.ts'
import { matchPutOnSale } from './auction/putOnSale.ts'
import { matchTeleitemCancel, matchTeleitemStart } from './auction/teleitem.ts'
import { matchUpdateSale } from './auction/updateSale.ts'
import { matchCocoonChangeSecretHash } from './cocoon/cocoonChangeSecretHash.ts'
import { matchCocoonClientRegister } from './cocoon/cocoonClientRegister.ts'
import { matchCocoonClientTopUp } from './cocoon/cocoonClientTopUp.ts'
import { matchCocoonClientWithdraw } from './cocoon/cocoonClientWithdraw.ts'
import { matchCocoonGrantRefund } from './cocoon/cocoonGrantRefund.ts'
import { matchCocoonIncreaseStake } from './cocoon/cocoonIncreaseStake.ts'
import { matchCocoonProxyCharge } from './cocoon/cocoonProxyCharge.ts'
import { matchCocoonProxyPayout } from './cocoon/cocoonProxyPayout.ts'
import { matchCocoonRegisterProxy } from './cocoon/cocoonRegisterProxy.ts'
import { matchCocoonRequestRefund } from './cocoon/cocoonRequestRefund.ts'
import { matchCocoonUnregisterProxy } from './cocoon/cocoonUnregisterProxy.ts'
import { matchCocoonWorkerPayout } from './cocoon/cocoonWorkerPayout.ts'
import { matchCoffeeDeposit } from './coffee/coffeeDeposit.ts'
import { matchCoffeeMevFailed, matchCoffeeMevHold } from './coffee/coffeeMev.ts'
import { matchCoffeePool } from './coffee/coffeePool.ts'
import { matchCoffeePoolCreator } from './coffee/coffeePoolCreator.ts'
import { matchCoffeeSwap } from './coffee/coffeeSwap.ts'
import { matchCoffeeVault } from './coffee/coffeeVault.ts'
import { matchCoffeeWithdraw } from './coffee/coffeeWithdraw.ts'
import { matchCoffeeStakingClaim } from './coffeeStaking/coffeeStakingClaim.ts'
import { matchCoffeeStakingDeposit } from './coffeeStaking/coffeeStakingDeposit.ts'
import { matchCoffeeStakingWithdraw } from './coffeeStaking/coffeeStakingWithdraw.ts'
import { matchDedustDeposit } from './dedust/dedustDeposit.ts'
import { matchDedustFirstDeposit } from './dedust/dedustFirstDeposit.ts'
import { matchDedustSwap } from './dedust/dedustSwap.ts'
import { matchDedustWithdraw } from './dedust/dedustWithdraw.ts'
import { mergeDedustDeposits } from './dedust/mergeDedustDeposits.ts'
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
import { matchStonfiSwap } from './stonfi/stonfiSwap.ts'
import { matchStonfiV2Deposit } from './stonfi/stonfiV2Deposit.ts'
import { matchStonfiV2Swap } from './stonfi/stonfiV2Swap.ts'
import { matchStonfiV2Withdraw } from './stonfi/stonfiV2Withdraw.ts'
import { matchSubscribe } from './subscription/subscribe.ts'
import { matchUnsubscribe } from './subscription/unsubscribe.ts'
import { matchTgbtcBurn, matchTgbtcBurnLog } from './tgbtc/tgbtcBurn.ts'
import { matchTgbtcDkgLog } from './tgbtc/tgbtcDkgLog.ts'
import { matchTgbtcMint, matchTgbtcMintLog } from './tgbtc/tgbtcMint.ts'
import { matchTgbtcNewKey, matchTgbtcNewKeyLog } from './tgbtc/tgbtcNewKey.ts'
import { matchToncoDeployPool } from './tonco/toncoDeployPool.ts'
import { matchToncoDeposit } from './tonco/toncoDeposit.ts'
import { matchToncoSwap } from './tonco/toncoSwap.ts'
import { matchToncoWithdraw } from './tonco/toncoWithdraw.ts'
import { matchVestingWhitelist } from './vesting/addWhitelist.ts'
import { matchVestingSend } from './vesting/sendMessage.ts'

/** In the order in which they go over a trace: what one makes is what the next ones see. */
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

/** For messages that a wallet was asked to send and never did. */
export const ghostMatchers: readonly Matcher[] = [matchGhostTransfer]

/** What is put together at the end, when every match has been made. */
export const mergers: readonly ((root: Block) => void)[] = [mergeDedustDeposits]
