// Table of constants: Storm Trade v2 and v3.
export const storm = `
nothing_from_inverted_maybe$1 = InvertedMaybe X
just_from_inverted_maybe$0 value:X = InvertedMaybe X
long$0 = StormDirection
short$1 = StormDirection
_ size:int128 direction:StormDirection margin:Coins open_notional:Coins last_updated_cumulative_premium:int64
  fee:uint32 discount:uint32 rebate:uint32 last_updated_timestamp:uint32 = StormPositionData
amm_state_log quote_asset_reserve:Coins quote_asset_weight:Coins base_asset_reserve:Coins
  total_long_position_size:Coins total_short_position_size:Coins open_interest_long:Coins open_interest_short:Coins
  = StormAmmStateLog
market_depth vpi_spread:Coins vpi_market_depth_long:Coins vpi_market_depth_short:Coins vpi_coefficient:uint64
  = StormMarketDepth

// Orders
stop_loss_order#0 expiration:uint32 direction:StormDirection amount:Coins trigger_price:Coins = StormUserOrder
take_profit_order#1 expiration:uint32 direction:StormDirection amount:Coins trigger_price:Coins = StormUserOrder
_ order:StormCreateOrder = StormUserOrder
add_margin#4 direction:StormDirection amount:Coins = StormUserOrder
remove_margin#5 direction:StormDirection amount:Coins = StormUserOrder
request_order#8 selector:StormExecuteSelector order:StormCreateOrder = StormUserOrder
limit_order#2 expiration:uint32 direction:StormDirection amount:Coins leverage:uint64 limit_price:Coins
  stop_price:Coins stop_trigger_price:Coins take_trigger_price:Coins = StormCreateOrder
market_order#3 expiration:uint32 direction:StormDirection amount:Coins leverage:uint64 limit_price:Coins
  stop_price:Coins stop_trigger_price:Coins take_trigger_price:Coins = StormCreateOrder
liquidate#6 direction:StormDirection = StormExecutorOrder
force_close#7 direction:StormDirection = StormExecutorOrder
force_close_max_leverage#9 direction:StormDirection = StormExecutorOrder
force_close_min_margin#a direction:StormDirection = StormExecutorOrder
execute_stop$0 = StormExecuteSelector
execute_take$1 = StormExecuteSelector

// Prices
update_msg price:Coins spread:Coins timestamp:uint32 assetIndex:uint16 pause_at:uint32 unpause_at:uint32
  vpi_spread:Coins vpi_market_depth_long:Coins vpi_market_depth_short:Coins vpi_coefficient:uint64 = StormUpdateMsg
empty$0 continue:(InvertedMaybe ^StormSignature) = StormSignature
fulled$1 signature:bits512 continue:(InvertedMaybe ^StormSignature) = StormSignature
without_settlement update_msg:^StormUpdateMsg signatures:^StormSignature = StormSingleOraclePayload
with_settlement update_msg:^StormUpdateMsg signatures:^StormSignature settlement_update_msg:^StormUpdateMsg
  settlement_signatures:^StormSignature = StormDoubleOraclePayload
created_price#00 update_msg:^StormUpdateMsg signatures:^StormSignature = StormCreatedOraclePayload
created_price_with_settlement#01 update_msg:^StormUpdateMsg signatures:^StormSignature
  settlement_update_msg:^StormUpdateMsg settlement_signatures:^StormSignature = StormCreatedOraclePayload
_ number_of_properties:(## 8) { number_of_properties = 2 } price_property_id:(## 8) { price_property_id <= 0 }
  price_property_value:uint64 exponent_property_id:(## 8) { exponent_property_id = 4 } exponent_property_value:int16
  = StormLazerFeed
lazer_payload_magic#93c7d375 = StormLazerPayloadMagic
single_lazer_payload$0 magic:StormLazerPayloadMagic timestamp:uint64 channel_id:uint8 number_of_feeds:(## 8)
  { number_of_feeds = 1 } index_feed_id:uint32 index_feed:StormLazerFeed = StormLazerPayload
double_lazer_payload$1 magic:StormLazerPayloadMagic timestamp:uint64 channel_id:uint8 number_of_feeds:(## 8)
  { number_of_feeds = 2 } index_feed_id:uint32 index_feed:StormLazerFeed settlement_feed_id:uint32
  settlement_feed:StormLazerFeed = StormLazerPayload
lazer_message#9a99222a r:uint256 s:uint256 v:uint8 payload_length:uint16 payload:StormLazerPayload = StormLazerMessage
single_lazer_payload#00 price_oracle_payload:^StormSingleOraclePayload lazer_message:(Maybe ^StormLazerMessage)
  = StormOraclePayload
double_lazer_payload#01 price_oracle_payload:^StormDoubleOraclePayload lazer_message:(Maybe ^StormLazerMessage)
  = StormOraclePayload
single_with_created#02 price_oracle_payload:^StormSingleOraclePayload
  created_oracle_payload:^StormCreatedOraclePayload lazer_message:(Maybe ^StormLazerMessage)
  created_lazer_message:(Maybe ^StormLazerMessage) = StormOraclePayload
double_with_created#03 price_oracle_payload:^StormDoubleOraclePayload
  created_oracle_payload:^StormCreatedOraclePayload lazer_message:(Maybe ^StormLazerMessage)
  created_lazer_message:(Maybe ^StormLazerMessage) = StormOraclePayload
storm#0 = StormOracleType
lazer#1 = StormOracleType

// Smart accounts
_ referrer_address:MsgAddressInt referrer_part:uint8 = StormReferrerData
_ discount:uint32 rebate:uint32 ref_info:(HashmapE 4 StormReferrerData) = StormReferralData
_ trader_address:MsgAddressInt smart_account_factory_address:MsgAddressInt vault_address:MsgAddress
  = StormAddressesData
_ shift:(## 13) { shift <= 5999 } bit_number:(## 10) { bit_number <= 1022 } = StormUserQueryId
_ shift:(## 13) { shift >= 6000 } bit_number:(## 10) { bit_number <= 1022 } = StormExecutorQueryId
user_intent_payload amm_address:MsgAddressInt sa_address:MsgAddressInt order:^StormUserOrder = StormUserIntentPayload
_ query_id:StormUserQueryId created_at:uint32 reference_query_id:(Maybe StormUserQueryId) public_key:bits256
  intent:^StormUserIntentPayload = StormUserIntent
_ amm_address:MsgAddressInt sa_address:MsgAddressInt order:^StormExecutorOrder = StormExecutorIntent
user_intent$0 signature:bits512 intent:^StormUserIntent oracle_payload:^StormOraclePayload
  next_intent:(Maybe ^StormIntent) = StormIntent
executor_intent$1 intent:^StormExecutorIntent oracle_payload:^StormOraclePayload next_intent:(Maybe ^StormIntent)
  = StormIntent
_ hot_public_key:uint256 cold_public_key:uint256 user_public_keys:(HashmapE 256 Cell) keys_count:uint8 = StormKeys
_ highload_timeout:uint24 keys:^StormKeys version:uint8 new_code:^Cell = StormInitializationData
need_key_init$1 user_public_keys:(HashmapE 256 Cell) = StormInitializationRequest
no_key_init$0 = StormInitializationRequest
increase#00 = StormLogType
close#01 = StormLogType
add_margin#02 = StormLogType
remove_margin#03 = StormLogType

// v2
storm_force_close_max_leverage#5b705138 executor_index:uint32 oracle_payload:^StormOraclePayload
storm_force_close_min_margin#5a8cf652 executor_index:uint32 oracle_payload:^StormOraclePayload
storm_change_max_leverage#0ef28735 query_id:uint64 response_destination:MsgAddressInt new_max_leverage:uint32
storm_change_max_leverage_request#28055719 query_id:uint64 vamm_address:MsgAddressInt new_max_leverage:uint32
storm_change_lazer_data#04db6665 query_id:uint64 response_destination:MsgAddressInt oracle_flag:StormOracleType
  index_asset_pyth_id:uint32 settlement_asset_pyth_id:uint32
storm_change_lazer_data_request#174c830c query_id:uint64 vamm_address:MsgAddressInt oracle_flag:StormOracleType
  index_asset_pyth_id:uint32 settlement_asset_pyth_id:uint32
storm_update_position#60dfc677 direction:StormDirection origin_op:uint32 oracle_price:Coins
  settlement_oracle_price:Coins new_position_ref:^StormPositionData amm_state_log:^StormAmmStateLog
storm_complete_order#cf90d618 order_type:uint4 order_index:uint3 direction:StormDirection origin_op:uint32
  oracle_price:Coins settlement_oracle_price:Coins new_position_ref:^StormPositionData
  amm_state_log:^StormAmmStateLog market_depth_log_ref:^StormMarketDepth
referral_params referral_amount:Coins referral_addr:MsgAddress = StormNotificationReferralParams
executor_params split_executor_reward:uint1 executor_amount:Coins executor_index:uint32
  = StormNotificationExecutorParams
storm_trade_notification#3475fdd2 asset_id:uint16 free_amount:int64 locked_amount:int64 exchange_amount:int64
  withdraw_locked_amount:uint64 fee_to_stakers:uint64 withdraw_amount:uint64 trader_addr:MsgAddressInt
  origin_addr:MsgAddressInt referral_data:(Maybe ^StormNotificationReferralParams)
  executor_params:(Maybe ^StormNotificationExecutorParams)
storm_execute_order#de1ddbcc direction:StormDirection order_index:uint3 trader_addr:MsgAddressInt
  prev_addr:MsgAddressInt ref_addr:MsgAddress executor_index:uint32 order:^StormUserOrder
  position:^StormPositionData oracle_payload:^StormOraclePayload
storm_provide_position#13076670 direction:uint1 gas_to_addr:MsgAddress inner_opcode:uint32 executor_index:uint32
  oracle_ref:^StormOraclePayload

// v3
storm_deploy_ordinary_sa#0302cd79 query_id:uint64 user_public_keys:(HashmapE 256 Cell)
storm_init_sa#5b0dd9f4 query_id:uint64 init_data:StormInitializationData
storm_add_public_key#220c4c19 query_id:uint64 public_key:uint256
storm_remove_public_key#76519f8b query_id:uint64 public_key:uint256
storm_remove_all_keys_except_current#644794b8 query_id:uint64 public_key:uint256
storm_deposit_native#29bb3721 query_id:uint64 amount:Coins receiver_address:MsgAddressInt init:Bool
  key_init:StormInitializationRequest
storm_deposit_jetton#76840119 query_id:uint64 receiver_address:MsgAddressInt init:Bool
  key_init:StormInitializationRequest
storm_notify_with_deploy#5a89f5a2 query_id:uint64 amount:Coins user_public_keys:(HashmapE 256 Cell)
  sender_address:MsgAddressInt owner_address:MsgAddressInt jetton_minter_address:MsgAddressInt
storm_deposit_notify_with_deploy#18a092f7 query_id:uint64 vault_address:MsgAddressInt amount:Coins
  sender_address:MsgAddressInt init_data:StormInitializationData
storm_deposit_notify#186b2edf query_id:uint64 amount:Coins sender_address:MsgAddressInt
  jetton_minter_address:MsgAddressInt
storm_deposit_revert#5b27f9c5 query_id:uint64 amount:Coins sender_address:MsgAddress owner_address:MsgAddressInt
storm_unsuccessful_deposit#6cde12e2 query_id:uint64
storm_withdraw_request_user#6eec039d query_id:uint64 vault_address:MsgAddressInt amount:Coins
storm_withdraw_request#512cbd25 query_id:uint64 amount:Coins owner_address:MsgAddressInt
storm_withdraw_success#20d835c2 query_id:uint64
storm_take_position_v2#1bea50f1 query_id:uint64 bundle_sender_address:MsgAddress amm_address:MsgAddressInt
  direction:StormDirection spent_amount:Coins addresses:^StormAddressesData ref_count:(## 4)
  ref_data:ref_count?StormReferralData position:^StormPositionData intent:^StormIntent
_ migrate_code:MaybeCell new_code:MaybeCell = StormUpgradePayload
_ signature:bits512 payload:(HashmapE 8 StormUpgradePayload) = StormSignedUpgradePayload
_ query_id:StormExecutorQueryId created_at:uint32 sa_address:MsgAddressInt actual_version:uint8
  upgrade_payload:(Maybe ^StormSignedUpgradePayload) msg:(Maybe ^(MessageRelaxed Any)) = StormExternalMsgPayload
storm_execute_orders_bundle#5f40f1ec query_id:uint64 signature:bits512 payload:^StormExternalMsgPayload
storm_execute_orders_bundle#04c52fd2 query_id:uint64 signature:bits512 payload:^StormExternalMsgPayload
_ type:StormLogType size:int128 margin:Coins open_notional:Coins last_updated_cpf:int64 realized_pnl:int64
  funding_payment:int64 rollover_fee:uint64 position_fee_rate:uint32 executor_fee_rate:uint32
  position_fee_amount:Coins executor_fee_amount:Coins fee_to_stakers_percent:uint32 = StormIntentLog
logs#012e8f40 log_dict:(HashmapE 8 StormIntentLog)
_ bundle_sender_address:MsgAddress balance_delta:Coins amm_address:MsgAddressInt direction:StormDirection
  position_data:(Maybe ^StormPositionData) = StormNotificationPayload
storm_trade_notification_v2#28d36491 query_id:uint64 asset_id:uint16 free_amount:int64 locked_amount:int64
  exchange_amount:int64 withdraw_locked_amount:uint64 fee_to_stakers:uint64 executor_amount:uint64
  total_referrer_amount:uint64 ref_count:uint4 referral_data:(HashmapE 4 StormReferrerData)
  sa_address:MsgAddressInt notification_payload:^StormNotificationPayload
storm_notify_update_position#1ca43d2f query_id:uint64 jetton_minter_address:MsgAddressInt
  notification_payload:^StormNotificationPayload
storm_referral_fees#4fedc82b query_id:uint64 referral_sa_address:MsgAddressInt amount:Coins
  jetton_minter_address:MsgAddressInt notification_payload:^StormNotificationPayload
storm_failed_bundle_execution#666392ee query_id:uint64 asset_id:uint16 error_code:uint16 spent_amount:Coins
  sa_address:MsgAddressInt amm_address:MsgAddressInt direction:StormDirection bundle_sender_address:MsgAddress
  intent:^StormIntent
storm_fail_notification#367f2743 query_id:uint64 spent_amount:Coins jetton_minter_address:MsgAddressInt
  amm_address:MsgAddressInt direction:StormDirection bundle_sender_address:MsgAddress intent:^StormIntent
_ query_id:StormExecutorQueryId created_at:uint32 sa_address:MsgAddressInt new_hot_key:uint256
  = StormSignedChangeKeyPayload
storm_change_hot_key#34d2e9f9 query_id:uint64 signature:bits512 signed_payload:^StormSignedChangeKeyPayload
storm_change_cold_key_factory#0b9d20cc query_id:uint64 new_cold_key:uint256
storm_change_hot_key_factory#1bd24ca6 query_id:uint64 new_hot_key:uint256
storm_change_cold_key_request#7a0bda1c query_id:uint64 sa_address:MsgAddressInt
storm_change_cold_key#70246da6 query_id:uint64 response_destination:MsgAddress new_cold_key:uint256
storm_update_sa_ordinary_code#0c6ca95e query_id:uint64 version:uint8 new_code:^Cell
_ external_query_id:StormExecutorQueryId created_at:uint32 sa_address:MsgAddressInt query_id:uint64 amount:Coins
  vault_address:MsgAddressInt = StormSelfDepositNative
storm_self_deposit_native#558e804a query_id:uint64 signature:bits512 signed_payload:^StormSelfDepositNative
_ external_query_id:StormExecutorQueryId created_at:uint32 sa_address:MsgAddressInt query_id:uint64 amount:Coins
  vault_address:MsgAddressInt ^[ jetton_wallet_address:MsgAddressInt ] = StormSelfDepositJetton
storm_self_deposit_jetton#01d81ebc query_id:uint64 signature:bits512 signed_payload:^StormSelfDepositJetton
storm_deposit_ton#5a091c43 query_id:uint64
storm_change_factory_content#13559d58 query_id:uint64 new_content:^Cell
storm_change_factory_code#179d61f9 query_id:uint64 new_code:^Cell
storm_change_v3_state#3e56c929 query_id:uint64
`
