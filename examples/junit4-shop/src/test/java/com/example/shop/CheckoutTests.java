package com.example.shop;

import org.junit.runner.RunWith;
import org.junit.runners.Suite;

/** The rules that the accountants signed off, run as one. */
@RunWith(Suite.class)
@Suite.SuiteClasses({ShippingRules.class, TotalRules.class})
public class CheckoutTests {}
