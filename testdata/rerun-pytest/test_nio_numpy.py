"""The paper's case 5.6, wellpathpy."""

import numpy

import product

NORTHING, EASTING = numpy.array([5.0, 6.0]), numpy.array([1.0, 2.0])


def test_array_through_an_alias():
    before = NORTHING.copy()
    northing, _ = product.to_zero(NORTHING, EASTING)
    assert (northing == before - 5.0).all()
