import type { Matcher } from '../match/Matcher.ts'
import type { Block } from '../tree/Block.ts'
import { matchCoffeeStakingClaim } from './coffeeStaking/coffeeStakingClaim.ts'
import { matchCoffeeStakingDeposit } from './coffeeStaking/coffeeStakingDeposit.ts'
import { matchCoffeeStakingWithdraw } from './coffeeStaking/coffeeStakingWithdraw.ts'
import { matchEthenaDeposit } from './ethena/ethenaDeposit.ts'
import { matchEthenaWithdrawRequest } from './ethena/ethenaWithdrawRequest.ts'
import { matchJettonBurn } from './jetton/jettonBurn.ts'
import { matchJettonMint } from './jetton/jettonMint.ts'
import { matchGhostTransfer, matchJettonTransfer, matchPtonTransfer } from './jetton/jettonTransfer.ts'
import { matchJvaultClaim } from './jvault/jvaultClaim.ts'
import { matchJvaultStake } from './jvault/jvaultStake.ts'
import { matchJvaultUnstake } from './jvault/jvaultUnstake.ts'
import { matchJvaultUnstakeRequest } from './jvault/jvaultUnstakeRequest.ts'
import { matchBillPayout } from './liquidStaking/billPayout.ts'
import { matchLiquidBurn } from './liquidStaking/liquidBurn.ts'
import { matchLiquidDeposit } from './liquidStaking/liquidDeposit.ts'
import { matchAssignedTransfer } from './nft/assignedTransfer.ts'
import { matchNftMint } from './nft/nftMint.ts'
import { matchNftTransfer } from './nft/nftTransfer.ts'
import { matchNominatorDeposit } from './nominator/nominatorDeposit.ts'
import { matchNominatorPayouts } from './nominator/nominatorPayouts.ts'
import { matchNominatorWithdrawRequest } from './nominator/nominatorWithdrawRequest.ts'

/** In the order in which they go over a trace: what one makes is what the next ones see. */
export const matchers: readonly Matcher[] = [
  matchNftMint, // 1
  matchBillPayout, // 2
  matchLiquidDeposit, // 5
  matchLiquidBurn, // 6
  matchNominatorDeposit, // 12
  matchNominatorWithdrawRequest, // 13
  matchNominatorPayouts, // 14
  matchJettonTransfer, // 15
  matchPtonTransfer, // 16
  matchJettonBurn, // 18
  matchNftTransfer, // 26
  matchAssignedTransfer, // 27
  matchEthenaWithdrawRequest, // 43
  matchJettonMint, // 44
  matchEthenaDeposit, // 45
  matchJvaultStake, // 48
  matchJvaultUnstake, // 49
  matchJvaultClaim, // 50
  matchJvaultUnstakeRequest, // 51
  matchCoffeeStakingDeposit, // 73
  matchCoffeeStakingWithdraw, // 74
  matchCoffeeStakingClaim, // 75
]

/** For messages that a wallet was asked to send and never did. */
export const ghostMatchers: readonly Matcher[] = [matchGhostTransfer]

/** What is put together at the end, when every match has been made. */
export const mergers: readonly ((root: Block) => void)[] = []
