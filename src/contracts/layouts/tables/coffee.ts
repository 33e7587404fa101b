// Table of constants: swap.coffee, its pools, vaults and staking.
export const coffee = `
staking_asset_data wallet:MsgAddressInt amount:Coins = CoffeeStakingAssetData
staking_position_data user_points:Coins additional_points:Coins start_timestamp:uint64 end_timestamp:uint64
  period_id:uint32 = CoffeeStakingPositionData
staking_forward_data gas:Coins payload:^Cell = CoffeeStakingForwardData
constant_product$000 = CoffeeAMM
curve_fi_stable$001 = CoffeeAMM
none$00 = CoffeeDepositLiquidityCondition
lp_quantity$01 min_lp_amount:Coins = CoffeeDepositLiquidityCondition
reserves_ratio$10 denominator:uint16 min_nominator:uint16 max_nominator:uint16 = CoffeeDepositLiquidityCondition
complex$11 min_lp_amount:Coins denominator:uint16 min_nominator:uint16 max_nominator:uint16
  = CoffeeDepositLiquidityCondition
native$00 = CoffeeAsset
jetton$01 chain:uint8 hash:uint256 = CoffeeAsset
extra$10 id:uint32 = CoffeeAsset
pool_params first:CoffeeAsset second:CoffeeAsset amm:CoffeeAMM amm_settings:MaybeCell = CoffeePoolParams
public_pool_creation_params recipient:MsgAddressInt use_recipient_on_failure:int1 notification_data:MaybeCell
  = CoffeePublicPoolCreationParams
private_pool_creation_params is_active:uint1 extra_settings:MaybeCell = CoffeePrivatePoolCreationParams
pool_creation_params public:CoffeePublicPoolCreationParams private:CoffeePrivatePoolCreationParams
  = CoffeePoolCreationParams
notification_data_single receiver:MsgAddressInt fwd_gas:Coins payload:^Cell = CoffeeNotificationDataSingle
notification_data on_success:(Maybe ^CoffeeNotificationDataSingle) on_failure:(Maybe ^CoffeeNotificationDataSingle)
  = CoffeeNotificationData
swap_params deadline:uint32 recipient:MsgAddressInt referral:MsgAddressInt
  notification_data:(Maybe ^CoffeeNotificationData) = CoffeeSwapParams
swap_step_params pool_address_hash:uint256 min_output_amount:Coins next:(Maybe ^CoffeeSwapStepParams)
  = CoffeeSwapStepParams
swap_step_internal_params previous_amount:Coins previous_asset_hint:(Maybe CoffeeAsset) min_output_amount:Coins
  next:(Maybe ^CoffeeSwapStepParams) = CoffeeSwapStepInternalParams
pool_reserves input_reserve:Coins output_reserve:Coins = CoffeePoolReserves
deposit_liquidity_params_trimmed recipient:MsgAddressInt use_recipient_on_failure:int1 referral:MsgAddressInt
  deadline:uint32 condition:CoffeeDepositLiquidityCondition extra_settings:MaybeCell
  notification_data:(Maybe ^CoffeeNotificationData) = CoffeeDepositLiquidityParamsTrimmed
deposit_liquidity_params params:^CoffeeDepositLiquidityParamsTrimmed pool_params:^CoffeePoolParams
  = CoffeeDepositLiquidityParams
contract_update code:MaybeCell data:MaybeCell = CoffeeContractUpdate

coffee_mev_protect_hold_funds#6bc79e7e query_id:uint64
coffee_mev_protect_failed_swap#ee51ce51 query_id:uint64 recipient:MsgAddressInt
coffee_mev_protect_failed_swap_forward_payload#ee51ce51 query_id:uint64 recipient:MsgAddressInt
coffee_cross_dex_resend#200f9086 query_id:uint64 next_recipient:MsgAddressInt next:^Cell total_gas:Coins next_gas:Coins
coffee_cross_dex_resend_forward_payload#4ee9b106 next:^Cell
coffee_cross_dex_failure#b902e61a query_id:uint64 recipient:MsgAddressInt
coffee_cross_dex_failure_forward_payload#b902e61a query_id:uint64 recipient:MsgAddressInt
coffee_staking_init#be5a7595 query_id:uint64 owner:MsgAddressInt jetton_data:^CoffeeStakingAssetData
  position_data:^CoffeeStakingPositionData periods:^Cell
coffee_staking_deposit#f9471134 query_id:uint64 sender:MsgAddressInt jetton_amount:Coins from_user:MsgAddressInt
  period_id:uint32
coffee_staking_lock_forward_payload#0c0ffede period_id:uint32
coffee_staking_update_rewards#0a9577f0 query_id:uint64 jetton_wallet:MsgAddressInt jetton_amount:Coins duration:uint64
coffee_staking_rewards_updated#0a9577f0 query_id:uint64 jetton_wallet:MsgAddressInt duration:uint64 finish_at:uint64
  rewards_rate:Coins
coffee_staking_claim_rewards#b30c7310 query_id:uint64 jetton_wallet:MsgAddressInt jetton_amount:Coins
  receiver:MsgAddressInt payload:(Maybe ^CoffeeStakingForwardData)
coffee_staking_rewards_claimed#b30c7310 query_id:uint64 jetton_wallet:MsgAddressInt amount:Coins receiver:MsgAddressInt

coffee_swap#c0ffee00 query_id:uint64 amount:Coins _:CoffeeSwapStepParams params:^CoffeeSwapParams
coffee_swap_extra#c0ffee01 query_id:uint64 _:CoffeeSwapStepParams params:^CoffeeSwapParams
coffee_create_pool#c0ffee02 query_id:uint64 amount:Coins params:CoffeePoolParams
  creation_params:CoffeePoolCreationParams
coffee_create_pool_extra#c0ffee03 query_id:uint64 params:CoffeePoolParams creation_params:CoffeePoolCreationParams
coffee_deposit_liquidity#c0ffee04 query_id:uint64 input_amount:Coins params:CoffeeDepositLiquidityParams
coffee_deposit_liquidity_extra#c0ffee05 query_id:uint64 params:CoffeeDepositLiquidityParams
coffee_create_vault#c0ffee06 query_id:uint64 asset:CoffeeAsset
coffee_withdraw_deposit#c0ffee07 query_id:uint64
coffee_swap_forward_payload#c0ffee10 _:CoffeeSwapStepParams params:^CoffeeSwapParams
coffee_create_pool_forward_payload#c0ffee11 params:CoffeePoolParams creation_params:CoffeePoolCreationParams
coffee_deposit_liquidity_forward_payload#c0ffee12 params:CoffeeDepositLiquidityParams
coffee_swap_internal#c0ffee20 query_id:uint64 _:CoffeeSwapStepInternalParams params:^CoffeeSwapParams proof:^Cell
coffee_payout_internal#c0ffee21 query_id:uint64 recipient:MsgAddressInt amount:Coins
  notification_data:(Maybe ^CoffeeNotificationDataSingle) proof:MaybeCell
coffee_deploy#c0ffee22 code:^Cell data:^Cell action:MaybeCell
coffee_create_pool_creator_request#c0ffee23 query_id:uint64 amount:Coins params:CoffeePoolParams
  creation_params:^CoffeePoolCreationParams sender:MsgAddressInt proof:^Cell
coffee_create_pool_creator_internal#c0ffee24 query_id:uint64 asset:CoffeeAsset amount:Coins
  creation_params:^CoffeePoolCreationParams
coffee_create_pool_request#c0ffee25 query_id:uint64 amount1:Coins amount2:Coins tx_initiator:MsgAddressInt
  creation_params:^CoffeePoolCreationParams proof:^Cell
coffee_create_pool_internal#c0ffee26 query_id:uint64 amount1:Coins amount2:Coins tx_initiator:MsgAddressInt
  recipient:MsgAddressInt use_recipient_on_failure:int1 extra_settings:MaybeCell
  notification_data:(Maybe ^CoffeeNotificationData)
coffee_create_liquidity_depository_request#c0ffee27 query_id:uint64 amount:Coins params:CoffeeDepositLiquidityParams
  sender:MsgAddressInt proof:^Cell
coffee_create_liquidity_depository_internal#c0ffee28 query_id:uint64 asset:CoffeeAsset amount:Coins
  params:^CoffeeDepositLiquidityParamsTrimmed
coffee_deposit_liquidity_internal#c0ffee29 query_id:uint64 amount1:Coins amount2:Coins tx_initiator:MsgAddressInt
  params:^CoffeeDepositLiquidityParamsTrimmed proof:^Cell
coffee_create_vault_internal#c0ffee2a query_id:uint64
coffee_activate_vault_internal#c0ffee2c query_id:uint64 wallet:MsgAddressInt
coffee_withdraw_internal#c0ffee2d query_id:uint64 asset:CoffeeAsset amount:Coins receiver:MsgAddressInt
coffee_update_contract_internal#c0ffee2e query_id:uint64 excesses_receiver:MsgAddressInt _:CoffeeContractUpdate
coffee_swap_succeeded#c0ffee30 query_id:uint64 input:CoffeeAsset input_amount:Coins output_amount:Coins
  reserves:CoffeePoolReserves protocol_fee:Coins
coffee_swap_failed#c0ffee31 query_id:uint64 input:CoffeeAsset input_amount:Coins reserves:(Maybe ^CoffeePoolReserves)
coffee_payout#c0ffee32 query_id:uint64
coffee_deposit_liquidity_succeeded#c0ffee33 query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins
  total_supply:CoffeePoolReserves reserves:CoffeePoolReserves
coffee_deposit_liquidity_failed#c0ffee34 query_id:uint64 amount1:Coins amount2:Coins min_lp_amount:Coins
  total_supply:Coins reserves:CoffeePoolReserves
coffee_withdraw_liquidity_succeeded#c0ffee35 query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins
  total_supply:CoffeePoolReserves reserves:CoffeePoolReserves
coffee_notification#c0ffee36 query_id:uint64 body:^Cell
coffee_notification_forward_payload#c0ffee36 query_id:uint64 body:^Cell
coffee_update_admin#c0ffee40 query_id:uint64 address:MsgAddressInt
coffee_activate_vault#c0ffee42 query_id:uint64 asset:CoffeeAsset wallet:MsgAddressInt
coffee_withdraw#c0ffee43 query_id:uint64 pool_address:MsgAddressInt asset:CoffeeAsset amount:Coins
  receiver:MsgAddressInt
coffee_update_code_cells#c0ffee44 query_id:uint64 first:^Cell second:^Cell
coffee_update_contract#c0ffee45 query_id:uint64 contract_address:MsgAddressInt _:CoffeeContractUpdate
coffee_update_withdrawer#c0ffee46 query_id:uint64 address:MsgAddressInt
`
