// Table of constants: TONCO, Bidask, Megaton, Moon, Tegro, and launchpads.
export const exchanges = `
// TONCO
_ amount:VarUint16 sqrtPriceLimitX96:uint160 minOutAmount:VarUint16 = ToncoSwapParams
_ target_address:MsgAddress ok_forward_amount:VarUint16 ok_forward_payload:MaybeCell ret_forward_amount:VarUint16
  ret_forward_payload:MaybeCell = ToncoSwapPayloads
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 = ToncoOldFees
_ fee_growth_inside_0_current_x128:uint256 fee_growth_inside_1_current_x128:uint256 = ToncoNewFees
_ fee_growth_inside_0_last_x128:uint256 fee_growth_inside_1_last_x128:uint256 nft_index:uint64
  jetton0_amount:VarUint16 jetton1_amount:VarUint16 tick:int24 = ToncoOldFeesFull
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress = ToncoMinters
_ jetton0_minter:MsgAddress jetton1_minter:MsgAddress controller_addr:MsgAddress = ToncoMintersAndController
_ payload_amount0:VarUint16 payload_0:MaybeCell payload_amount1:VarUint16 payload_1:MaybeCell = ToncoPayloads
_ amount0:VarUint16 jetton0_address:MsgAddress amount1:VarUint16 jetton1_address:MsgAddress
  payload_cell:^ToncoPayloads = ToncoCoinsInfoFull
_ amount0:VarUint16 jetton0_address:MsgAddress amount1:VarUint16 jetton1_address:MsgAddress = ToncoCoinsInfo
_ liquidity:uint128 price_sqrt:uint160 tick:int24 fee_growth_global_0x128:int256 fee_growth_global_1x128:int256
  = ToncoSwapInfo
_ nft_index:uint64 liquidity_burned:uint128 tick_lower:int24 tick_upper:int24 tick_burn:int24 = ToncoBurnInfo
tonco_pool_swap#a7fb58f8 query_id:uint64 owner_address:MsgAddress source_wallet:MsgAddress
  swap_params:^ToncoSwapParams swap_payloads:^ToncoSwapPayloads
tonco_pool_mint#b2c1b6e3 query_id:uint64 owner_address:MsgAddress amount0:VarUint16 amount1:VarUint16
  enough0:VarUint16 enough1:VarUint16 liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_mint_and_refund#81702ef8 query_id:uint64 amount0_funded:VarUint16 amount1_funded:VarUint16
  recipient:MsgAddress liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_start_burn#530b5f2c query_id:uint64 burned_index:uint64 liquidity_to_burn:uint128 tick_lower:int24
  tick_upper:int24
tonco_pool_burn#d73ac09d query_id:uint64 recipient:MsgAddress burned_index:uint64 liquidity:uint128 tick_lower:int24
  tick_upper:int24 liquidity_to_burn:uint128 old_fee_cell:^ToncoOldFees new_fee_cell:^ToncoNewFees
tonco_pool_fund_account#4468de77 query_id:uint64 owner_address:MsgAddress amount0:VarUint16 amount1:VarUint16
  enough0:VarUint16 enough1:VarUint16 liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_fund_account_payload#4468de77 other_jetton_wallet:MsgAddress amount0:VarUint16 amount1:VarUint16
  liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_init#441c39ed query_id:uint64 from_admin:Bool has_admin:Bool admin_address:MsgAddress has_controller:Bool
  controller_address:MsgAddress set_spacing:Bool tick_spacing:int24 set_price:Bool initial_price_x96:uint160
  set_active:Bool pool_active:Bool protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16 nftv3_content:^Cell
  nftv3item_content:^Cell minter_cell:(Maybe ^ToncoMinters)
tonco_router_create_pool#2e3034ef query_id:uint64 jetton_wallet0:MsgAddress jetton_wallet1:MsgAddress
  tick_spacing:int24 initial_price_x96:uint160 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16
  nftv3_content:^Cell nftv3item_content:^Cell minter_cell:^ToncoMintersAndController
tonco_position_nft_init#d5ecca2a query_id:uint64 user_address:MsgAddress liquidity:uint128 tick_lower:int24
  tick_upper:int24 old_fee_cell:^ToncoOldFeesFull
tonco_position_nft_burn#46ca335a query_id:uint64 nft_owner:MsgAddress liquidity_to_burn:uint128 tick_lower:int24
  tick_upper:int24 old_fee_cell:^ToncoOldFees
tonco_account_add_liquidity#3ebe5431 query_id:uint64 new_amount0:VarUint16 new_amount1:VarUint16
  new_enough0:VarUint16 new_enough1:VarUint16 liquidity:uint128 tick_lower:int24 tick_upper:int24
tonco_pool_lock#b1b0b7e2 query_id:uint64
tonco_pool_unlock#4e737e4d query_id:uint64
tonco_pool_set_fee#6bdcbeb8 query_id:uint64 protocol_fee:uint16 lp_fee_base:uint16 lp_fee_current:uint16
tonco_account_refund_me#0bf3f447 query_id:uint64
tonco_reset_gas#42a0fb43 query_id:uint64
// Exit codes 200 and 230; 201 has the shorter cells.
tonco_router_pay_to_normal#a1daa96d query_id:uint64 reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32
  seqno:uint64 coinsinfo_cell:(Maybe ^ToncoCoinsInfoFull) indexer_swap_info_cell:(Maybe ^ToncoSwapInfo)
tonco_router_pay_to_exit_code_201#a1daa96d query_id:uint64 reciever0:MsgAddress reciever1:MsgAddress exit_code:uint32
  seqno:uint64 coinsinfo_cell:(Maybe ^ToncoCoinsInfo) indexer_burn_info_cell:(Maybe ^ToncoBurnInfo)

// Bidask
additional_data from_address:MsgAddress ref_address:MsgAddress = BidaskAdditionalData
farming_data distributed_x_amount:Coins distributed_y_amount:Coins = BidaskFarmingData
swap_additional previous_time:uint64 start_price:uint256 actual_fee:uint16 distributed_x_amount:Coins
  distributed_y_amount:Coins = BidaskSwapAdditionalData
_ first_bin:int32 liquidity_dict:(HashmapE 32 int32) current_bin:int32 remaining:Cell = BidaskDexPayload
bidask_swap#f2ef6c1b query_id:uint64 native_amount:Coins to_address:MsgAddress slippage:(Either Coins uint256)
  exact_out:Coins ref_address:MsgAddress additional_data:MaybeCell reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_forward_payload#f2ef6c1b to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins
  ref_address:MsgAddress additional_data:MaybeCell reject_payload:MaybeCell forward_payload:MaybeCell
bidask_provide#96feef7b query_id:uint64 deposit_type:uint4 liquidity_dict:(HashmapE 32 int32)
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_provide_forward_payload#96feef7b deposit_type:uint4 liquidity_dict:(HashmapE 32 int32)
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_provide_both_forward_payload#3ea0bafc ton_amount:Coins deposit_type:uint4 liquidity_dict:(HashmapE 32 int32)
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_success#520e4831 query_id:uint64 new_current_bin:int32 new_sqrt_price:uint256 order:Bool amount_x:Coins
  amount_y:Coins is_x:Bool user_address:MsgAddress ref_cell:MaybeCell additional_data:MaybeCell
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_fallback_v2#1bba3896 query_id:uint64 first_range_bin:int32 order:Bool user_address:MsgAddress is_x:Bool
  amount_in:Coins distributed_x_amount:Coins distributed_y_amount:Coins
  additional_data:(Maybe ^BidaskAdditionalData) reject_payload:MaybeCell
bidask_swap_fallback#1bba3896 query_id:uint64 first_range_bin:int32 order:Bool user_address:MsgAddress is_x:Bool
  amount_in:Coins additional_data:MaybeCell reject_payload:MaybeCell
bidask_provide_refund#02422cbe query_id:uint64 first_range_bin:int32 x_excess:Coins y_excess:Coins
  user_address:MsgAddress reject_payload:MaybeCell order:Bool
bidask_burn_payout#42062d62 query_id:uint64 first_range_bin:int32 amount_x:Coins amount_y:Coins
  user_address:MsgAddress forward_payload:MaybeCell
bidask_internal_swap#66210c65 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins
  amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) ref_cell:MaybeCell additional_data:MaybeCell
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_internal_continue_swap#59699475 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins
  amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) ref_cell:MaybeCell additional_data:MaybeCell
  reject_payload:MaybeCell forward_payload:MaybeCell
bidask_internal_provide#d1b02ea5 query_id:uint64 ref_1:MaybeCell ref_2:MaybeCell ref_3:MaybeCell amount_x:Coins
  amount_y:Coins to_address:MsgAddress dex_payload:^BidaskDexPayload
bidask_internal_provide#d1b02ea5 query_id:uint64 ref_1:MaybeCell ref_2:MaybeCell ref_3:MaybeCell amount_x:Coins
  amount_y:Coins to_address:MsgAddress dex_payload:Any
bidask_internal_continue_provide#0c09445a query_id:uint64 amount_x:Coins amount_y:Coins excess_x:Coins excess_y:Coins
  user_address:MsgAddress first_bin:int32 number_of_bins:uint32 liquidity_dict:(HashmapE 32 int32)
  lp_tokens:(HashmapE 32 int32) reject_payload:MaybeCell forward_payload:MaybeCell order:Bool
bidask_save_liquidity_info#214ad1d2 query_id:uint64 amount_x:Coins amount_y:Coins deposit_type:uint3
  liquidity_dict:(HashmapE 32 int32) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_adding_liquidity_notify#af31d23f query_id:uint64 user_address:MsgAddress amount_x:Coins amount_y:Coins
  deposit_type:uint3 liquidity_dict:(HashmapE 32 int32) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_internal_burn#16e09400 query_id:uint64 owner_address:MsgAddress amount_x:Coins amount_y:Coins first_bin:int32
  tokens_to_burn:(HashmapE 32 int32) forward_payload:MaybeCell
bidask_multitoken_mint#250ad226 query_id:uint64 ref_1:MaybeCell ref_2:MaybeCell liquidity_dict:(HashmapE 32 int32)
  number_of_bins:uint32 forward_payload:MaybeCell
bidask_burn#73403c43 query_id:uint64 tokens_to_burn:(HashmapE 32 int32) forward_payload:MaybeCell
bidask_burn_all#ebd6ec83 query_id:uint64 forward_payload:MaybeCell
bidask_liquidity_added_notify#0dc8bb28 query_id:uint64 forward_payload:MaybeCell
bidask_native_transfer_notification#6edd65f0 query_id:uint64 native_amount:Coins forward_payload:MaybeCell
bidask_internal_swap_v2#87d36990 query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins
  amount_out:Coins exact_out:Coins slippage:(Either Coins uint256) farming_cell:(Maybe ^BidaskFarmingData)
  additional_data:(Maybe ^BidaskAdditionalData) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_v2#87d36990 query_id:uint64 native_amount:Coins to_address:MsgAddress slippage:(Either Coins uint256)
  exact_out:Coins additional_data:(Maybe ^BidaskAdditionalData) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_v2_forward_payload#87d36990 to_address:MsgAddress slippage:(Either Coins uint256) exact_out:Coins
  additional_data:(Maybe ^BidaskAdditionalData) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_swap_success_v2#d3a25890 query_id:uint64 new_current_bin:int32 new_sqrt_price:uint256 order:Bool
  amount_x:Coins amount_y:Coins is_x:Bool user_address:MsgAddress dynamic_fee:uint16
  additional_data:(Maybe ^BidaskAdditionalData) reject_payload:MaybeCell forward_payload:MaybeCell
bidask_internal_continue_swap_v2#5a6a036f query_id:uint64 to_address:MsgAddress order:Bool is_x:Bool amount_in:Coins
  amount_out:Coins exact_out:Coins slippage:(Either Coins uint256)
  swap_additional_data:(Maybe ^BidaskSwapAdditionalData) additional_data:(Maybe ^BidaskAdditionalData)
  reject_payload:MaybeCell forward_payload:MaybeCell

// Megaton, Tegro
megaton_wton_mint#77a33521 query_id:uint64 amount:Coins
megaton_swap#7362d09c account_addr:MsgAddressInt in_token_addr:MsgAddressInt in_amount:Coins
  ^[ out_token_addr:MsgAddressInt out_amount:Coins ]
_ last_mined:uint256 last_index:uint256 = MegatonMiningParams
megaton_update_mining_params#56a8e920 pool_addr:MsgAddressInt last_mined:uint256 last_index:uint256
  _:^MegatonMiningParams
tegro_swap_ton#600c00fd query_id:uint64 extract:Bool max_in:Coins min_out:Coins destination:MsgAddress
  error_destination:MsgAddress ref:(Maybe ^MsgAddress)
tegro_add_liquidity_forward_payload#287e167a amount_a:VarUint16 abount_b:VarUint16
tegro_jetton_swap_forward_payload#01fb7a25 extract:Bool max_in:VarUint16 min_out:VarUint16 destination:MsgAddress
  error_destination:MsgAddress payload:MaybeCell

// Moon
next_payload recipient:MsgAddress payload:MaybeCell = MoonNextPayload
swap_params min_out:VarUint16 deadline:uint64 excess:(Maybe MsgAddress) referral:(Maybe MsgAddress)
  next_fulfill:(Maybe ^MoonNextPayload) next_reject:(Maybe ^MoonNextPayload) = MoonSwapParams
order_data rate:uint256 lock:uint2 vesting_time:uint64 = MoonOrderParams
moon_swap#b37a900b query_id:uint64 amount:VarUint16 swap_params:MoonSwapParams
moon_swap_forward_payload#b37a900b swap_params:MoonSwapParams
moon_swap_succeed#cb7f38d6 rest:Any
moon_swap_succeed_forward_payload#cb7f38d6 rest:Any
moon_swap_failed#c47c1f57 rest:Any
moon_swap_failed_forward_payload#c47c1f57 rest:Any
moon_deposit_liquidity#b31db781 query_id:uint64 min_lp_out:VarUint16
moon_deposit_liquidity_forward_payload#b31db781 min_lp_out:VarUint16
moon_boost_pool#96aa1586 query_id:uint64
moon_boost_pool_forward_payload#96aa1586 rest:Any
moon_create_order#da067c19 query_id:uint64 asset2_id:MsgAddress order_data:MoonOrderParams
moon_create_order_forward_payload#da067c19 asset1_id:MsgAddress asset2_id:MsgAddress order_data:MoonOrderParams
moon_deploy_order#983432e2 query_id:uint64 order_fee:uint8 order_data:MoonOrderParams pipes:^Cell
moon_fill_order#99b49842 query_id:uint64 recipient:MsgAddress recipient_payload:MaybeCell reject_address:MsgAddress
moon_fill_order_forward_payload#99b49842 recipient:MsgAddress recipient_payload:MaybeCell reject_address:MsgAddress
moon_order_payout#96612e37 query_id:uint64
moon_vesting_payout#b4fc3916 query_id:uint64
moon_cancel_order#1e8d79c4 query_id:uint64
moon_order_cancelled#49f48ee9 query_id:uint64

// Launchpads
blum_memepad_buy#af750d34 query_id:uint64 min_recieve:Coins receiver:MsgAddress refferal:Cell
blum_memepad_sell#742b36d8 query_id:uint64 amount:Coins min_recieve:Coins refferal:Cell
blum_memepad_unlock_wallet#f0fd50bb query_id:uint64
blum_memepad_buy_log#ceac8af4 buyer_address:MsgAddress tons_consumed:Coins supply_delta:Coins new_supply:Coins
  collected_ton_liq:Coins refferal:Cell
blum_memepad_sell_log#ef2e2def seller_address:MsgAddress ton_value:Coins supply_delta:Coins new_supply:Coins
  collected_ton_liq:Coins refferal:Cell
blum_memepad_send_liq_log#30c7219b ton_liq_amount:Coins jetton_liq_amount:Coins
gas_pump_buy_log#67617302 buyer_address:MsgAddress input_ton_amount:Coins ton_amount:Coins jetton_amount:Coins
  fee_ton_amount:Coins bonding_curve_overflow:Bool
gas_pump_sell_log#67617303 seller_address:MsgAddress ton_amount:Coins jetton_amount:Coins fee_ton_amount:Coins
gas_pump_send_to_pool_log#67617305 ton_amount:Coins jetton_amount:Coins fee_ton_amount:Coins
gas_pump_change_trade_state_log#67617306 old_trade_state:uint16 new_trade_state:uint16
`
