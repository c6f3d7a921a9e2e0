// Package lease decides both sides of a lease: the Keeper of a holder, the
// Grant of a grantor.
package lease
